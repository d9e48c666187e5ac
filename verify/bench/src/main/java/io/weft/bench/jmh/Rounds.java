package io.weft.bench.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Runs every side of every operation once a round, side after side, so that what disturbs the machine disturbs all.
final class Rounds {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Plan plan;
    private final List<Operation> operations;
    private final List<Goals.Subset> subsets;
    private final Map<String, Row> rows = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    Rounds(Plan plan, List<Operation> operations, List<Goals.Subset> subsets) {
        this.plan = plan;
        this.operations = operations;
        this.subsets = subsets;
    }

    Collection<Row> run() throws IOException {
        Path log = Files.createTempFile("weft-bench-", ".log");
        System.err.println("  " + plan + "; log: " + log);
        for (int round = 0; round < plan.rounds(); round++) {
            for (int i = 0; i < operations.size(); i++) {
                Operation operation = operations.get(i);
                long start = System.nanoTime();
                System.err.printf(
                        Locale.ROOT,
                        "  round %d of %d, %d of %d: %s",
                        round + 1,
                        plan.rounds(),
                        i + 1,
                        operations.size(),
                        operation.name());
                for (Side side : operation.sidesOf(round)) {
                    System.err.print(" " + side.name());
                    run(operation, side, log);
                }
                System.err.printf(
                        Locale.ROOT, ", %.1f s%n", (System.nanoTime() - start) / 1_000_000_000.0);
            }
        }
        if (failures.isEmpty()) {
            Files.delete(log);
        }
        return rows.values();
    }

    /// What did not run, and where it says why.
    List<String> failures() {
        return failures;
    }

    private void run(Operation operation, Side side, Path log) {
        List<String> flags = plan.flags();
        flags.addAll(side.flags());
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(operation.regex(side))
                        .forks(1)
                        .addProfiler(GCProfiler.class)
                        // Given in full, or a fork would inherit the flags of this JVM.
                        .jvmArgs(flags.toArray(String[]::new))
                        .shouldFailOnError(true)
                        .output(log.toString());
        plan.apply(options);
        for (Goals.Subset subset : subsets) {
            if (subset.operation().test(operation.name())) {
                options.param(subset.param(), subset.values().toArray(String[]::new));
            }
        }
        try {
            new Runner(options.build()).run().forEach(result -> add(operation, side, result));
        } catch (RunnerException e) {
            failures.add(
                    "FAILED: %s, %s: %s; see %s"
                            .formatted(operation.name(), side.name(), e.getMessage(), log));
        }
    }

    private void add(Operation operation, Side side, RunResult result) {
        BenchmarkParams params = result.getParams();
        Map<String, String> own = new LinkedHashMap<>();
        params.getParamsKeys().forEach(key -> own.put(key, params.getParam(key)));
        Result<?> score = result.getPrimaryResult();
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        Row row =
                new Row(
                        operation.name(),
                        own,
                        score.getScoreUnit(),
                        params.getMode() == Mode.Throughput);
        rows.computeIfAbsent(row.title(), _ -> row)
                .add(
                        side.name(),
                        score.getScore(),
                        allocated == null ? Double.NaN : allocated.getScore());
    }
}
