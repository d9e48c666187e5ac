import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs tests in a JVM of its own: once all, to see which of them reach which mutants, then those
/// that a mutant needs.
final class Minion {
    /// Longest that a test method is run as a whole; the invocations of longer ones are units of
    /// their own.
    private static final long WHOLE_MILLIS = 150;

    private static final Launcher LAUNCHER = LauncherFactory.create();
    private static final PrintStream OUT = System.out;

    private static volatile long deadline = Long.MAX_VALUE;
    private static volatile String running = "";

    private Minion() {}

    /// @param args `cover CLASS...`, or `run UNITS`, a file of lines "millis, unique id"
    public static void main(String[] args) throws Exception {
        var quiet = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(quiet);
        System.setErr(quiet);
        Thread watch = new Thread(Minion::watch);
        watch.setDaemon(true);
        watch.start();
        if (args[0].equals("cover")) {
            for (String name : Arrays.asList(args).subList(1, args.length)) {
                cover(name);
            }
            say("INITIAL " + bits(Mutants.initial));
        } else {
            serve(Files.readAllLines(Path.of(args[1])));
        }
        Runtime.getRuntime().halt(0);
    }

    private static synchronized void say(String line) {
        OUT.println("## " + line);
        OUT.flush();
    }

    /// Stops a test at its deadline, and the JVM when that does not help.
    private static void watch() {
        while (true) {
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                return;
            }
            long over = System.nanoTime() - deadline;
            if (deadline != Long.MAX_VALUE && over > 0) {
                Mutants.stop = true;
                if (over > TimeUnit.SECONDS.toNanos(3)) {
                    say("HUNG " + running);
                    Runtime.getRuntime().halt(3);
                }
            }
        }
    }

    private static void cover(String name) {
        deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        running = name;
        LAUNCHER.execute(request(selectClass(name)), new Coverage());
        deadline = Long.MAX_VALUE;
    }

    private static LauncherDiscoveryRequest request(DiscoverySelector selector) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selector)
                .filters(TagFilter.excludeTags("follows-leaks", "unchecked", "peer"))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .build();
    }

    private static void serve(List<String> units) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            say(run(Integer.parseInt(words[0]), words[1].split(","), units));
        }
    }

    /// Runs units until one fails, then that one without the mutant: if it fails again, the mutant
    /// has left something behind.
    private static String run(int mutant, String[] indexes, List<String> units) {
        for (String index : indexes) {
            String[] unit = units.get(Integer.parseInt(index)).split(" ", 2);
            long millis = Long.parseLong(unit[0]);
            running = mutant + " " + index;
            Mutants.active = mutant;
            boolean failed = fails(unit[1], millis);
            Mutants.active = -1;
            if (failed) {
                return (fails(unit[1], millis) ? "DIRTY " : "KILLED ") + mutant + " " + index;
            }
        }
        return "SURVIVED " + mutant;
    }

    private static boolean fails(String unit, long millis) {
        Mutants.stop = false;
        deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500 + 4 * millis);
        var outcome = new Outcome();
        LAUNCHER.execute(request(selectUniqueId(unit)), outcome);
        deadline = Long.MAX_VALUE;
        boolean stopped = Mutants.stop;
        Mutants.stop = false;
        return stopped || outcome.failed;
    }

    private static String bits(boolean[] flags) {
        var text = new StringBuilder();
        for (int i = 0; i < flags.length; i++) {
            if (flags[i]) {
                text.append(text.isEmpty() ? "" : ",").append(i);
            }
        }
        return text.isEmpty() ? "-" : text.toString();
    }

    private static final class Outcome implements TestExecutionListener {
        private boolean failed;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            failed |= result.getStatus() == TestExecutionResult.Status.FAILED;
        }
    }

    /// Tells of each method, or of each invocation of a long one, how long it took and what it
    /// reached.
    private static final class Coverage implements TestExecutionListener {
        private record Leaf(String id, long millis, boolean[] reached, boolean failed) {}

        private final List<Leaf> leaves = new ArrayList<>();
        private String method = "";
        private BitSet around = new BitSet();
        private long began;

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest() || method.isEmpty() && isMethod(test)) {
                collect();
                if (isMethod(test)) {
                    method = test.getUniqueId();
                }
                began = System.nanoTime();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                long millis = (System.nanoTime() - began) / 1_000_000;
                boolean failed = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
                leaves.add(new Leaf(test.getUniqueId(), millis, Mutants.reached.clone(), failed));
                Arrays.fill(Mutants.reached, false);
            }
            if (test.getUniqueId().equals(method)) {
                collect();
                tell();
                leaves.clear();
                around = new BitSet();
                method = "";
            }
        }

        private static boolean isMethod(TestIdentifier test) {
            String last = test.getUniqueIdObject().getLastSegment().getType();
            return last.equals("method")
                    || last.equals("test-template")
                    || last.equals("test-factory");
        }

        /// Counts what was reached outside of a test, for all tests of the method.
        private void collect() {
            for (int i = 0; i < Mutants.reached.length; i++) {
                if (Mutants.reached[i]) {
                    around.set(i);
                }
            }
            Arrays.fill(Mutants.reached, false);
        }

        private void tell() {
            long sum = leaves.stream().mapToLong(Leaf::millis).sum();
            if (leaves.size() > 1 && sum > WHOLE_MILLIS) {
                leaves.forEach(leaf -> tell(leaf.id, leaf.millis, List.of(leaf)));
            } else if (!leaves.isEmpty()) {
                tell(method, sum, leaves);
            }
        }

        private void tell(String id, long millis, List<Leaf> of) {
            boolean[] all = new boolean[Mutants.reached.length];
            around.stream().forEach(i -> all[i] = true);
            boolean failed = false;
            for (Leaf leaf : of) {
                failed |= leaf.failed;
                for (int i = 0; i < all.length; i++) {
                    all[i] |= leaf.reached[i];
                }
            }
            say(
                    "UNIT "
                            + (failed ? "failed" : "passed")
                            + " "
                            + millis
                            + " "
                            + bits(all)
                            + " "
                            + id);
        }
    }
}
