import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs the test classes of one module again and again, each for as many seconds, classes and
/// methods in random order, random tests from a fresh seed each time. Started by `repeat.sh`; the
/// failures go to the standard output as they happen, and are counted at the end. The seeds of
/// those that failed are added to `target/failing-seeds.txt` of the module.
final class Repeat {
    /// Properties with the seeds of random tests and of simulations.
    private static final List<String> SEEDS =
            List.of("io.weft.test.seed", "io.weft.simulation.seed");

    private static final Map<String, Integer> FAILURES = new HashMap<>();

    private Repeat() {}

    /// @param args where the module's test classes are, a regular expression for the names of
    ///     classes, seconds a class, seed
    public static void main(String[] args) {
        Pattern names = Pattern.compile(args[1]);
        double seconds = Double.parseDouble(args[2]);
        long seed = args.length > 3 ? Long.parseLong(args[3]) : System.nanoTime();
        Random random = new Random(seed);
        Launcher launcher = LauncherFactory.create();
        launcher.registerTestExecutionListeners(new Failures());
        List<Class<?>> classes = classes(launcher, Path.of(args[0]), names);
        System.out.println("seed " + seed + ", " + classes.size() + " classes");
        Map<Class<?>, Double> spent = new HashMap<>();
        Map<Class<?>, Integer> runs = new HashMap<>();
        List<Class<?>> left = new ArrayList<>(classes);
        while (!left.isEmpty()) {
            Collections.shuffle(left, random);
            for (Class<?> test : left) {
                String testSeed = Integer.toString(random.nextInt());
                SEEDS.forEach(property -> System.setProperty(property, testSeed));
                long start = System.nanoTime();
                launcher.execute(request(random.nextLong()).selectors(selectClass(test)).build());
                spent.merge(test, (System.nanoTime() - start) / 1e9, Double::sum);
                runs.merge(test, 1, Integer::sum);
            }
            // A class that fills its time in one round gets a second one.
            left.removeIf(test -> spent.get(test) > seconds && runs.get(test) > 1);
        }
        runs.forEach((test, count) -> System.out.println(count + " times " + test.getName()));
        FAILURES.forEach((test, count) -> System.out.println("FAILED " + count + " times " + test));
        System.exit(FAILURES.isEmpty() ? 0 : 1);
    }

    private static String seeds() {
        return SEEDS.stream()
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .collect(Collectors.joining(" "));
    }

    private static LauncherDiscoveryRequestBuilder request(long order) {
        return LauncherDiscoveryRequestBuilder.request()
                // Which need other properties, and without them wait for ever.
                .filters(TagFilter.excludeTags("follows-leaks", "unchecked"))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter(
                        "junit.jupiter.testmethod.order.default",
                        "org.junit.jupiter.api.MethodOrderer$Random")
                .configurationParameter(
                        "junit.jupiter.execution.order.random.seed", Long.toString(order));
    }

    private static List<Class<?>> classes(Launcher launcher, Path root, Pattern names) {
        LauncherDiscoveryRequest all =
                request(0)
                        .selectors(selectClasspathRoots(Set.of(root)))
                        .filters(includeClassNamePatterns(".*Test"))
                        .build();
        List<Class<?>> classes = new ArrayList<>();
        var plan = launcher.discover(all);
        plan.getRoots().stream()
                .flatMap(engine -> plan.getChildren(engine).stream())
                .forEach(
                        test -> {
                            if (test.getSource().orElse(null) instanceof ClassSource source
                                    && names.matcher(source.getClassName()).find()) {
                                classes.add(source.getJavaClass());
                            }
                        });
        return classes;
    }

    private static void keep(String line) {
        try {
            Files.createDirectories(Path.of("target"));
            Files.writeString(
                    Path.of("target", "failing-seeds.txt"),
                    line,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            System.out.println("not kept: " + e);
        }
    }

    private static final class Failures implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable()
                    .filter(_ -> result.getStatus() == TestExecutionResult.Status.FAILED)
                    .ifPresent(
                            cause -> {
                                String name = test.getUniqueId();
                                FAILURES.merge(name, 1, Integer::sum);
                                String seeds = seeds();
                                System.out.println("FAILED " + name + ", " + seeds);
                                keep(seeds + " " + name + "\n");
                                cause.printStackTrace(new PrintWriter(System.out, true));
                            });
        }
    }
}
