package io.weft.bench.jmh;

import io.weft.bench.report.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Runs every side of every operation once a round, side after side, so that what disturbs the
/// machine disturbs all.
final class Rounds {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /// Of sampled times, in rows of their own.
    private static final int[] PERCENTILES = {50, 99};

    private final Plan plan;
    private final List<Operation> operations;
    private final Goals goals;
    private final Path scratch;
    private final Path log;
    private final Map<String, Row> rows = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    Rounds(Plan plan, List<Operation> operations, Goals goals) throws IOException {
        this.plan = plan;
        this.operations = operations;
        this.goals = goals;
        scratch = Files.createTempDirectory("weft-bench-");
        log = scratch.resolve("log");
    }

    Collection<Row> run() throws IOException {
        long start = System.nanoTime();
        System.err.println("  " + plan + "; log: " + log);
        for (int round = 0; round < plan.rounds(); round++) {
            run(round, operations);
        }
        for (int more = 0; more < plan.moreRounds(); more++) {
            List<Operation> disputed = operations.stream().filter(this::isDisputed).toList();
            if (System.nanoTime() - start > Plan.TIME_FOR_MORE.toNanos()) {
                break;
            }
            run(plan.rounds() + more, disputed);
        }
        if (failures.isEmpty()) {
            try (Stream<Path> files = Files.list(scratch)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(scratch);
        }
        return rows.values();
    }

    private boolean isDisputed(Operation operation) {
        return rows.values().stream()
                .filter(row -> row.operation().equals(operation.name()))
                .flatMap(row -> row.verdicts(goals).stream())
                .anyMatch(Verdict::isDisputed);
    }

    private void run(int round, List<Operation> these) {
        for (int i = 0; i < these.size(); i++) {
            Operation operation = these.get(i);
            long start = System.nanoTime();
            System.err.printf(
                    Locale.ROOT,
                    "  round %d, %d of %d: %s",
                    round + 1,
                    i + 1,
                    these.size(),
                    operation.name());
            for (Side side : operation.sidesOf(round)) {
                System.err.print(" " + side.name());
                run(operation, side);
            }
            System.err.printf(
                    Locale.ROOT, ", %.1f s%n", (System.nanoTime() - start) / 1_000_000_000.0);
        }
    }

    /// Returns the operations that did not run, and where the reason is found.
    List<String> failures() {
        return failures;
    }

    private void run(Operation operation, Side side) {
        List<String> flags = plan.flags();
        flags.addAll(side.flags());
        if (plan.sharesClasses()) {
            flags.add("-XX:+AutoCreateSharedArchive");
            flags.add("-XX:SharedArchiveFile=" + scratch.resolve(side.name() + ".jsa"));
        }
        ChainedOptionsBuilder options = new OptionsBuilder().include(operation.regex(side));
        if (plan.warmups() > 0) {
            options.addProfiler(CompilersQuiet.class);
        }
        options.forks(1)
                .addProfiler(GCProfiler.class)
                // Given in full, or a fork would inherit the flags of this JVM.
                .jvmArgs(flags.toArray(String[]::new))
                .shouldFailOnError(true)
                .output(log.toString());
        plan.apply(
                options,
                goals.subsets().stream()
                        .filter(subset -> subset.operation().test(operation.name()))
                        .filter(subset -> !subset.param().equals(Goals.SIDE))
                        .toList());
        try {
            new Runner(options.build()).run().forEach(result -> add(operation, side, result));
        } catch (RunnerException e) {
            failures.add(
                    "FAILED: %s, %s: %s; see %s"
                            .formatted(
                                    operation.name(),
                                    side.name(),
                                    e.getMessage(),
                                    kept(operation, side)));
        }
    }

    /// Returns where the log of what failed is: the next to run begins it anew.
    private Path kept(Operation operation, Side side) {
        String name = operation.name().replace('/', '-') + "-" + side.name() + ".log";
        try {
            return Files.move(log, scratch.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            return log;
        }
    }

    private void add(Operation operation, Side side, RunResult result) {
        BenchmarkParams params = result.getParams();
        Map<String, String> own = new LinkedHashMap<>();
        params.getParamsKeys().forEach(key -> own.put(key, params.getParam(key)));
        Result<?> score = result.getPrimaryResult();
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        double bytes = allocated == null ? Double.NaN : allocated.getScore();
        boolean throughput = params.getMode() == Mode.Throughput;
        String unit = score.getScoreUnit();
        boolean sampled = params.getMode() == Mode.SampleTime;
        // Whatever disturbs a shared machine for a moment spoils a mean of iterations.
        double middle = sampled ? score.getScore() : score.getStatistics().getPercentile(50);
        add(new Row(operation.name(), own, unit, throughput), side, middle, bytes);
        addCpu(operation, side, result, own);
        if (sampled) {
            for (int percentile : PERCENTILES) {
                Row row = new Row(operation.name() + " p" + percentile, own, unit, throughput);
                add(row, side, score.getStatistics().getPercentile(percentile), Double.NaN);
            }
        }
    }

    /// Of methods that take a [Cpu].
    private void addCpu(Operation operation, Side side, RunResult result, Map<String, String> own) {
        Result<?> nanos = result.getSecondaryResults().get(Cpu.NANOS);
        Result<?> bytes = result.getSecondaryResults().get(Cpu.BYTES);
        if (nanos != null && bytes != null) {
            Row row = new Row(operation.name() + " cpu", own, "s/GB", false);
            add(row, side, nanos.getScore() / bytes.getScore(), Double.NaN);
        }
    }

    private void add(Row row, Side side, double score, double bytes) {
        rows.computeIfAbsent(row.title(), _ -> row).add(side.name(), score, bytes);
    }
}
