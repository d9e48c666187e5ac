package io.weft.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// How often and how long is measured; a round is one JVM a side and set of parameters.
///
/// @param millis of one iteration
/// @param heap of each JVM: touching all of it beforehand takes longer than a quick run's measuring
public record Plan(int rounds, int warmups, int measurements, int millis, String heap) {
    public static final Plan FULL = new Plan(5, 5, 5, 1000, "1g");
    static final Plan QUICK = new Plan(2, 3, 4, 150, "256m");

    /// For every JVM; a side may add flags of its own. None about `sun.misc.Unsafe` here: Netty reads it, and "as shipped" has
    /// to stay as shipped.
    public List<String> flags() {
        List<String> flags = new ArrayList<>(BenchmarkThreads.flags());
        flags.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+AlwaysPreTouch"));
        flags.add("--enable-native-access=ALL-UNNAMED");
        flags.add("-Dio.netty.leakDetection.level=disabled");
        return flags;
    }

    void apply(ChainedOptionsBuilder options) {
        options.warmupIterations(warmups)
                .warmupTime(TimeValue.milliseconds(millis))
                .measurementIterations(measurements)
                .measurementTime(TimeValue.milliseconds(millis));
    }

    @Override
    public String toString() {
        return "%d interleaved rounds; in each, a JVM a side and row: %d + %d iterations of %d ms"
                .formatted(rounds, warmups, measurements, millis);
    }
}
