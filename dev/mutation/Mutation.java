import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts the mutants of some classes that tests notice. Started by `mutation.sh`.
///
/// All mutants are put into the classes at once, and one at a time is active ([Mutants]). A first
/// run of the tests tells which of them reach which mutant; a mutant then is tried on those, the
/// shortest first, until one fails. Mutants share a JVM; one that ends it, or that leaves behind
/// what makes tests fail without it, costs a new one.
final class Mutation {
    /// A test method or one invocation of it.
    private record Unit(long millis, int[] reached, String id) {}

    private final Path out;
    private final List<String> command;
    private final List<Mutator.Mutant> mutants;
    private final List<Unit> units = new ArrayList<>();
    private final List<List<Integer>> tests = new ArrayList<>();
    private final String[] results;
    private final long bound;
    private boolean[] initial = new boolean[0];

    private Mutation(Path out, List<String> command, List<Mutator.Mutant> mutants, long bound) {
        this.out = out;
        this.command = command;
        this.mutants = mutants;
        this.bound = bound;
        results = new String[mutants.size()];
    }

    /// @param args directory of classes, directories of tests, class path, output, globs of classes,
    ///     of tests, seconds for a mutant, then options of the JVM
    public static void main(String[] args) throws Exception {
        Path main = Path.of(args[0]);
        List<String> tests = List.of(args[1].split(":"));
        Path out = Path.of(args[3]);
        Path mutated = out.resolve("classes");
        List<URL> urls = new ArrayList<>();
        for (String part : (main + ":" + args[2]).split(":")) {
            urls.add(Path.of(part).toUri().toURL());
        }
        var mutator = new Mutator(new URLClassLoader(urls.toArray(URL[]::new)));
        for (String name : names(main, args[4])) {
            Path file = Path.of(name.replace('.', '/') + ".class");
            Path to = mutated.resolve(file);
            Files.createDirectories(to.getParent());
            Files.write(to, mutator.mutate(Files.readAllBytes(main.resolve(file))));
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        command.addAll(Arrays.asList(args).subList(7, args.length));
        String own = System.getProperty("java.class.path");
        command.addAll(
                List.of(
                        "-Dmutants=" + mutator.mutants().size(),
                        "-cp",
                        String.join(
                                ":",
                                mutated.toString(),
                                main.toString(),
                                args[1],
                                args[2],
                                own),
                        "Minion"));
        var mutation =
                new Mutation(out, command, mutator.mutants(), Long.parseLong(args[6]) * 1000);
        List<String> classes = new ArrayList<>();
        for (String test : tests) {
            names(Path.of(test), args[5]).stream()
                    .filter(name -> !name.contains("$"))
                    .forEach(classes::add);
        }
        mutation.cover(classes);
        mutation.plan();
        mutation.tryAll();
        mutation.report();
    }

    /// Names of the classes in a directory that match one of the globs, `!` in front of those to
    /// leave out.
    private static List<String> names(Path directory, String globs) throws IOException {
        List<String> wanted = new ArrayList<>();
        List<String> unwanted = new ArrayList<>();
        for (String glob : globs.split(",")) {
            String pattern =
                    glob.replace("!", "")
                            .replace(".", "\\.")
                            .replace("$", "\\$")
                            .replace("*", ".*");
            (glob.startsWith("!") ? unwanted : wanted).add(pattern);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> directory.relativize(file).toString())
                    .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
                    .filter(name -> !name.endsWith("-info"))
                    .filter(name -> wanted.stream().anyMatch(name::matches))
                    .filter(name -> unwanted.stream().noneMatch(name::matches))
                    .sorted()
                    .toList();
        }
    }

    private void cover(List<String> classes) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("cover"));
        arguments.addAll(classes);
        try (var minion = new Process(arguments, -1)) {
            for (String line = minion.next(); line != null; line = minion.next()) {
                String[] words = line.split(" ", 5);
                switch (words[0]) {
                    case "UNIT" -> {
                        if (words[1].equals("passed")) {
                            units.add(
                                    new Unit(
                                            Long.parseLong(words[2]), numbers(words[3]), words[4]));
                        } else {
                            System.out.println(
                                    "left out, as it fails or is skipped by itself: " + words[4]);
                        }
                    }
                    case "INITIAL" -> {
                        initial = new boolean[mutants.size()];
                        for (int mutant : numbers(words[1])) {
                            initial[mutant] = true;
                        }
                    }
                    default -> System.out.println(line);
                }
            }
        }
        if (initial.length != mutants.size()) {
            throw new IllegalStateException("the tests did not run to their end without mutants");
        }
        long sum = units.stream().mapToLong(Unit::millis).sum();
        System.out.println(
                mutants.size() + " mutants, " + units.size() + " units of tests, " + sum + " ms");
    }

    private static int[] numbers(String text) {
        return text.equals("-")
                ? new int[0]
                : Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    /// Orders the units for each mutant, the shortest first, as far as they take no longer than the
    /// bound together.
    private void plan() throws IOException {
        units.sort(Comparator.comparingLong(Unit::millis));
        Files.write(
                out.resolve("units"),
                units.stream().map(unit -> unit.millis + " " + unit.id).toList());
        mutants.forEach(mutant -> tests.add(new ArrayList<>()));
        for (int i = 0; i < units.size(); i++) {
            for (int mutant : units.get(i).reached) {
                tests.get(mutant).add(i);
            }
        }
        Map<String, List<Integer>> ofClass = new TreeMap<>();
        for (var mutant : mutants) {
            if (initial[mutant.id()]) {
                List<Integer> all = ofClass.computeIfAbsent(mutant.type(), type -> unitsOf(type));
                tests.set(mutant.id(), all);
            }
        }
        tests.replaceAll(this::bounded);
    }

    private List<Integer> unitsOf(String type) {
        return mutants.stream()
                .filter(mutant -> mutant.type().equals(type))
                .flatMap(mutant -> tests.get(mutant.id()).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private List<Integer> bounded(List<Integer> all) {
        long sum = 0;
        List<Integer> some = new ArrayList<>();
        for (int unit : all) {
            sum += units.get(unit).millis + 2;
            if (sum > bound && !some.isEmpty()) {
                break;
            }
            some.add(unit);
        }
        return some;
    }

    private void tryAll() throws Exception {
        Deque<Integer> waiting = new ArrayDeque<>();
        for (var mutant : mutants) {
            if (tests.get(mutant.id()).isEmpty()) {
                results[mutant.id()] = "UNREACHED";
            } else {
                waiting.add(mutant.id());
            }
        }
        Process minion = null;
        int count = 0;
        while (!waiting.isEmpty()) {
            int mutant = waiting.remove();
            boolean alone = initial[mutant];
            boolean fresh = minion == null || alone || count == 400;
            if (fresh) {
                if (minion != null) {
                    minion.close();
                }
                minion =
                        new Process(
                                List.of("run", out.resolve("units").toString()),
                                alone ? mutant : -1);
                count = 0;
            }
            count++;
            String units =
                    tests.get(mutant).stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(","));
            String line = minion.ask(mutant + " " + units);
            String verdict = line == null ? "CRASHED" : line.substring(0, line.indexOf(' '));
            if (verdict.equals("DIRTY") && !fresh) {
                waiting.addFirst(mutant);
            } else {
                results[mutant] = verdict.equals("DIRTY") ? "KILLED" : verdict;
            }
            if (alone || !verdict.equals("KILLED") && !verdict.equals("SURVIVED")) {
                minion.close();
                minion = null;
            }
            if (waiting.size() % 100 == 0) {
                System.err.println(waiting.size() + " left");
            }
        }
        if (minion != null) {
            minion.close();
        }
    }

    private void report() throws IOException {
        List<String> lines = new ArrayList<>();
        Map<String, int[]> scores = new TreeMap<>();
        int[] total = new int[2];
        for (var mutant : mutants) {
            String result = results[mutant.id()];
            boolean noticed = !result.equals("SURVIVED") && !result.equals("UNREACHED");
            String file = mutant.type().replaceAll("\\$.*", "");
            int[] score = scores.computeIfAbsent(file, type -> new int[2]);
            for (int[] counts : List.of(score, total)) {
                counts[0]++;
                counts[1] += noticed ? 1 : 0;
            }
            String line =
                    result
                            + " "
                            + mutant.type()
                            + "."
                            + mutant.method()
                            + ":"
                            + mutant.line()
                            + " "
                            + mutant.change();
            lines.add(line);
            if (!noticed) {
                System.out.println(line);
            }
        }
        Files.write(out.resolve("mutants.txt"), lines);
        scores.forEach((type, score) -> System.out.println(row(type, score)));
        System.out.println(row("all", total));
    }

    private static String row(String name, int[] score) {
        return "| `%s` | %d | %d | %d %% |"
                .formatted(name, score[0], score[1], score[1] * 100L / score[0]);
    }

    /// A JVM with a [Minion].
    private final class Process implements AutoCloseable {
        private static final String END = "";

        private final java.lang.Process process;
        private final BufferedWriter in;
        private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Process(List<String> arguments, int active) throws IOException {
            List<String> all = new ArrayList<>(command);
            all.add(1, "-Dmutant=" + active);
            all.addAll(arguments);
            process =
                    new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream()));
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (var from = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                    if (line.startsWith("## ")) {
                        lines.add(line.substring(3));
                    }
                }
            } catch (IOException e) {
                // The process was ended.
            }
            lines.add(END);
        }

        /// The next line that the minion says, null at its end.
        String next() throws InterruptedException {
            String line = lines.poll(400, TimeUnit.SECONDS);
            return line == null || line.equals(END) ? null : line;
        }

        String ask(String question) throws InterruptedException {
            try {
                in.write(question + "\n");
                in.flush();
            } catch (IOException e) {
                return null;
            }
            return next();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
