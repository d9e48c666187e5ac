package io.weft.bench.jmh;

import io.weft.bench.Main;
import io.weft.bench.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs the JMH benchmarks that a regex names, one fork of each in every round, so that the sides are interleaved:
/// `JmhGroup NAME REGEX [--quick] [--json FILE]`.
public final class JmhGroup {
    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;

    private JmhGroup() {}

    public static void main(String[] args) throws IOException, RunnerException {
        List<String> options = List.of(args);
        boolean quick = options.contains("--quick");
        int json = options.indexOf("--json");
        JmhResults results = new JmhResults(options.get(0));

        Path log = Files.createTempFile("weft-bench-", ".log");
        int rounds = quick ? QUICK_ROUNDS : ROUNDS;
        for (int round = 1; round <= rounds; round++) {
            System.err.printf(Locale.ROOT, "  round %d of %d; log: %s%n", round, rounds, log);
            new Runner(fork(options.get(1), quick, log).build()).run().forEach(results::add);
        }
        Files.delete(log); // kept when a benchmark fails
        System.out.print(results.table());
        if (json >= 0) {
            Files.writeString(Path.of(options.get(json + 1)), Json.write(results.entries()));
        }
    }

    private static ChainedOptionsBuilder fork(String regex, boolean quick, Path log) {
        ChainedOptionsBuilder builder =
                new OptionsBuilder()
                        .include(regex)
                        .forks(1)
                        .addProfiler(GCProfiler.class)
                        .jvmArgsAppend(Main.forkFlags())
                        .shouldFailOnError(true)
                        .output(log.toString());
        return quick
                ? builder.warmupIterations(3)
                        .warmupTime(TimeValue.milliseconds(400))
                        .measurementIterations(3)
                        .measurementTime(TimeValue.milliseconds(400))
                : builder;
    }
}
