package io.weft.bench.mainjob;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Json;
import io.weft.bench.report.Machine;
import io.weft.bench.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Measures a hello server: Weft beside Netty and beside C, one loop on core 0, wrk on core 1, in
/// one interleaved run.
public final class MainJob {
    private static final int USAGE_ERROR = 2;
    private static final Pattern WRK = Pattern.compile("wrk ([^ ]+)");

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
        Map<String, String> facts = facts();
        SyscallProbe probe = SyscallProbe.detect();
        LoadGenerator generator = new LoadGenerator(options.cServers());
        Run run = new Run(plan, generator, probe, sides(options));
        Results results = run.execute();

        facts.forEach((name, fact) -> System.out.println(name + ": " + fact));
        System.out.printf(
                "plan: %d JVM(s) a side, %d windows of %.1f s in each, interleaved; system calls by %s%n",
                plan.forks(), plan.rounds(), plan.window(), probe.name().toLowerCase(Locale.ROOT));
        System.out.println();
        for (Load load : generator.loads()) {
            System.out.println(Table.of(results, load));
        }
        System.out.println(
                "p99: from sending a request (a batch of them) to its (last) answer. busy: of the server's core; below"
                        + " 100% the load\ngenerator was the limit. / X: requests/s as a multiple of X's, median"
                        + " and range over the rounds.");
        run.skipped().forEach(System.out::println);
        System.out.println();
        List<Entry> entries = Entries.of(options.group(), generator.loads(), results, plan, facts);
        write(options.json(), Json.write(entries.stream().map(Entry::fields).toList()));
        write(options.html(), Page.section(options.group(), facts, entries));
        System.out.print(io.weft.bench.report.Table.goals(entries));
        System.out.printf("took %d s%n", (System.nanoTime() - start) / 1_000_000_000);
    }

    private static Sides sides(Options options) {
        if (options.before() != null && options.weftModulePath() != null) {
            return Sides.builds(options.before(), options.weftModulePath());
        }
        Sides sides = Sides.find(options.weftModulePath(), options.cServers());
        return options.rivals() == null ? sides : sides.withRivals(options.rivals());
    }

    private static Map<String, String> facts() throws IOException, InterruptedException {
        Map<String, String> facts = Machine.facts();
        facts.put("jvm flags", String.join(" ", Sides.JVM_FLAGS));
        Matcher wrk = WRK.matcher(Command.run(List.of("wrk", "-v")).output());
        facts.put("wrk", wrk.find() ? wrk.group(1) : "unknown");
        return facts;
    }

    private static void write(@Nullable Path file, String text) throws IOException {
        if (file != null) {
            Files.writeString(file, text);
        }
    }
}
