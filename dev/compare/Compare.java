import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Measures two builds of Weft beside each other, round by round: `Compare FOLDER BEFORE AFTER
/// [options]`. Started by dev/compare.sh, which says what the options are.
final class Compare {
    /// Rounds of JMH's rows, and how many more of those that look worse.
    private record Plan(int rounds, int more, int iterations, int millis, int starts) {
        static final Plan QUICK = new Plan(2, 3, 5, 80, 5);
        static final Plan FULL = new Plan(3, 4, 5, 1000, 10);
    }

    private static final int WORSE = 1;
    private static final int UNFINISHED = 3;

    private final List<Build> builds;
    private final Plan plan;
    private final Path folder;
    private final Results results;
    private final long end;
    private final List<Step> steps = new ArrayList<>();
    private final Jmh jmh;

    private Compare(Path folder, List<Build> builds, boolean quick, String only, double minutes)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.builds = builds;
        plan = quick ? Plan.QUICK : Plan.FULL;
        end = System.nanoTime() + (long) (minutes * 60e9);
        String identity = builds.get(0).identity() + ", " + builds.get(1).identity() + ", " + plan;
        results = new Results(folder.resolve("results.tsv"), identity);
        Quick values = new Quick(quick ? Optional.of(builds.get(1).tree()) : Optional.empty());
        Predicate<String> wanted = Pattern.compile(only).asPredicate();
        jmh = new Jmh(builds, values, plan.millis, wanted);
        jmh.units.forEach(unit -> steps.add(step(unit, plan.rounds)));
        steps.add(new StartStep(builds, plan.rounds, plan.starts, folder, results));
        steps.add(new MainJobStep(builds, plan.rounds, quick, folder, results));
        steps.add(new IdleStep(builds, 1, folder, results));
        steps.removeIf(step -> !(step instanceof JmhStep) && !wanted.test(step.name()));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Iterator<String> rest = List.of(arguments).iterator();
        Path folder = Files.createDirectories(Path.of(rest.next()));
        List<Build> builds =
                List.of(
                        new Build("before", Path.of(rest.next())),
                        new Build("after", Path.of(rest.next())));
        boolean quick = false;
        String only = "";
        double minutes = 60 * 24;
        while (rest.hasNext()) {
            switch (rest.next()) {
                case "--quick" -> quick = true;
                case "--only" -> only = rest.next();
                case "--minutes" -> minutes = Double.parseDouble(rest.next());
                default -> throw new IllegalArgumentException("arguments: " + List.of(arguments));
            }
        }
        Compare compare = new Compare(folder, builds, quick, only, minutes);
        boolean finished = compare.run();
        new Report(builds, compare.results, compare.jmh.leftOut).print();
        if (!finished) {
            System.err.println("not finished: the same command goes on from here");
            System.exit(UNFINISHED);
        }
        if (compare.results.rows().stream().anyMatch(Row::isWorse)) {
            System.exit(WORSE);
        }
    }

    private JmhStep step(Jmh.Unit unit, int rounds) {
        return new JmhStep(unit, rounds, plan.iterations, builds, folder, results);
    }

    /// Returns false if there was no time for all of it.
    private boolean run() throws IOException, InterruptedException {
        for (int round = 0; round < plan.rounds + plan.more; round++) {
            for (Step step : round < plan.rounds ? steps : disputed(round)) {
                if (round >= step.rounds() || results.isDone(step.name(), round)) {
                    continue;
                }
                if (System.nanoTime() > end) {
                    return false;
                }
                long began = System.nanoTime();
                System.err.printf("  round %d: %s", round + 1, step.name());
                step.run(round);
                System.err.printf(", %.1f s%n", (System.nanoTime() - began) / 1e9);
                results.done(step.name(), round);
            }
        }
        return true;
    }

    /// Single rows of JMH that all rounds so far call worse.
    private List<Step> disputed(int round) {
        List<Step> some = new ArrayList<>();
        for (Row row : List.copyOf(results.rows())) {
            Jmh.Unit unit = row.isWorse() ? jmh.only(row.name) : null;
            if (unit != null) {
                some.add(step(unit, round + 1));
            }
        }
        return some;
    }
}
