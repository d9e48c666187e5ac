package io.weft.bench.jmh;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// The number and the length of measurements; a round is one JVM a side and set of parameters.
///
/// @param moreRounds of operations with a row whose rounds do not agree whether a goal is reached
/// @param millis of one iteration
/// @param heap of each JVM: touching all of it beforehand takes longer than a quick run's measuring
/// @param sharesClasses true if JVMs start with the classes that the first one of their side has
///     loaded
public record Plan(
        int rounds,
        int moreRounds,
        int warmups,
        int measurements,
        int millis,
        String heap,
        boolean sharesClasses) {
    public static final Plan FULL = new Plan(5, 0, 5, 5, 1000, "1g", false);
    static final Plan QUICK = new Plan(2, 3, 3, 5, 80, "256m", true);

    /// One short iteration of everything: shows that it runs, and no more.
    static final Plan SMOKE = new Plan(1, 0, 0, 1, 5, "256m", true);

    /// A round beyond the fixed ones begins before this: a whole group has had its time then.
    static final Duration TIME_FOR_MORE = Duration.ofSeconds(90);

    /// For every JVM; a side may add flags of its own. None about `sun.misc.Unsafe` here: Netty
    /// reads it, and "as shipped" has to stay as shipped.
    public List<String> flags() {
        List<String> flags = new ArrayList<>(BenchmarkThreads.flags());
        flags.addAll(List.of("-Xms" + heap, "-Xmx" + heap));
        if (this == FULL) {
            flags.add("-XX:+AlwaysPreTouch");
        }
        flags.add("--enable-native-access=ALL-UNNAMED");
        flags.add("-Dio.netty.leakDetection.level=disabled");
        flags.add("-Dio.weft.leakDetection.level=disabled");
        return flags;
    }

    /// @param subsets of the operation that is to be run
    void apply(ChainedOptionsBuilder options, List<Goals.Subset> subsets) {
        TimeValue time = TimeValue.milliseconds(millis);
        for (Goals.Subset subset : this == FULL ? List.<Goals.Subset>of() : subsets) {
            if (!subset.param().equals(Goals.MILLIS)) {
                options.param(subset.param(), subset.values().toArray(String[]::new));
            } else if (this == QUICK) {
                time = TimeValue.milliseconds(Long.parseLong(subset.values().getFirst()));
            }
        }
        options.warmupIterations(warmups)
                .warmupTime(time)
                .measurementIterations(measurements)
                .measurementTime(time);
    }

    @Override
    public String toString() {
        return "%d interleaved rounds, up to %d more where they disagree; in each, a JVM a side and row, of which the median counts: %d + %d iterations of %d ms"
                .formatted(rounds, moreRounds, warmups, measurements, millis);
    }
}
