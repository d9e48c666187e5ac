package io.weft.bench.mainjob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Measures a hello server: Weft beside Netty and beside C, one loop on core 0, wrk on core 1, in one interleaved run.
public final class MainJob {
    private static final int USAGE_ERROR = 2;

    private MainJob() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println("main-job: " + e.getMessage() + "; " + Options.USAGE);
            System.exit(USAGE_ERROR);
            return;
        }
        Optional<String> missing = missing();
        if (missing.isPresent()) {
            System.err.println("main-job: " + missing.get());
            System.exit(USAGE_ERROR);
        }
        measure(options);
    }

    private static Optional<String> missing() throws InterruptedException {
        for (String program : List.of("wrk", "taskset", "timeout")) {
            if (!Command.exists(program)) {
                return Optional.of("needs " + program + "; dev/install-peers.sh installs it");
            }
        }
        int cores = Runtime.getRuntime().availableProcessors();
        return cores < 2
                ? Optional.of("needs two cores, one of them for wrk (found: " + cores + ")")
                : Optional.empty();
    }

    private static void measure(Options options) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Plan plan = options.quick() ? Plan.QUICK : Plan.FULL;
        Machine machine = Machine.describe();
        SyscallProbe probe = SyscallProbe.detect();
        Run run =
                new Run(
                        plan,
                        new Wrk(),
                        probe,
                        Sides.find(options.weftModulePath(), options.cServers()));
        Results results = run.execute();

        machine.facts().forEach((name, fact) -> System.out.println(name + ": " + fact));
        System.out.printf(
                "plan: %d JVM(s) a side, %d windows of %.1f s in each, interleaved; system calls by %s%n",
                plan.forks(), plan.rounds(), plan.window(), probe.name().toLowerCase(Locale.ROOT));
        System.out.println();
        for (Load load : Load.values()) {
            System.out.println(Table.of(results, load));
        }
        System.out.println(
                "p99: from sending a request (a batch of them) to its (last) answer. busy: of the server's core; below"
                        + " 100% the load\ngenerator was the limit. / X: requests/s as a multiple of X's, median"
                        + " and range over the rounds.");
        run.skipped().forEach(System.out::println);
        write(options.json(), JsonReport.of(results, plan, machine));
        System.out.printf("took %d s%n", (System.nanoTime() - start) / 1_000_000_000);
    }

    private static void write(@Nullable Path file, String json) throws IOException {
        if (file != null) {
            Files.writeString(file, json);
        }
    }
}
