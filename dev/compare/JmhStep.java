import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One unit of JMH's benchmarks.
///
/// @param folder for the log, and the classes that JVMs share
record JmhStep(
        Jmh.Unit unit, int rounds, int iterations, List<Build> builds, Path folder, Results results)
        implements Step {
    private static final String FLAGS =
            "-Djmh.executor=CUSTOM -Djmh.executor.class=io.weft.bench.jmh.BenchmarkThreads"
                    + " -Xms256m -Xmx256m --enable-native-access=ALL-UNNAMED"
                    + " -Dio.netty.leakDetection.level=disabled"
                    + " -Dio.weft.leakDetection.level=disabled";

    private static final Pattern BENCHMARK =
            Pattern.compile("\"benchmark\" : \"[^\"]*[.](\\w+?)(?:Benchmark)?[.](weft\\w+)\"");
    private static final Pattern MODE = Pattern.compile("\"mode\" : \"(\\w+)\"");
    private static final Pattern PARAMS =
            Pattern.compile("\"params\" : \\{([^}]*)\\}", Pattern.DOTALL);
    private static final Pattern PARAM = Pattern.compile("\"(\\w+)\" : \"([^\"]*)\"");
    private static final Pattern MEDIAN = Pattern.compile("\"50.0\" : ([-+.\\w]+)");
    private static final Pattern UNIT = Pattern.compile("\"scoreUnit\" : \"([^\"]*)\"");
    private static final Pattern BYTES =
            Pattern.compile("gc.alloc.rate.norm\" : \\{\\s*\"score\" : ([-+.\\w]+)");

    @Override
    public String name() {
        return unit.name();
    }

    @Override
    public void run(int round) throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            int side = (i + round) % 2;
            Path json = folder.resolve("jmh.json");
            Files.deleteIfExists(json);
            if (!Command.run(command(side, json), folder.resolve("log"))) {
                System.err.println("FAILED: " + name() + ": see " + folder.resolve("log"));
                return;
            }
            for (String result : Files.readString(json).split("\"jmhVersion\"")) {
                if (BENCHMARK.matcher(result).find()) {
                    add(result, round, side);
                }
            }
        }
    }

    private List<String> command(int side, Path json) {
        Build build = builds.get(side);
        String archive = folder.resolve(build.name() + ".jsa").toString();
        List<String> command =
                Command.java("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
        // The other jar has what waits for compilers, where this one is from before it.
        String path = build.jar() + ":" + builds.get(1 - side).jar();
        command.addAll(List.of("-cp", path, "org.openjdk.jmh.Main"));
        command.add("^(" + String.join("|", unit.full().get(side)).replace(".", "[.]") + ")$");
        unit.params()
                .forEach(
                        (param, values) ->
                                command.addAll(
                                        List.of("-p", param + "=" + String.join(",", values))));
        String time = unit.millis() + "ms";
        command.addAll(List.of("-f", "1", "-wi", "3", "-w", time));
        command.addAll(List.of("-i", Integer.toString(iterations), "-r", time));
        command.addAll(List.of("-prof", "gc", "-prof", "io.weft.bench.jmh.CompilersQuiet"));
        command.addAll(List.of("-foe", "true", "-v", "SILENT"));
        command.addAll(List.of("-rf", "json", "-rff", json.toString()));
        command.addAll(
                List.of(
                        "-jvmArgs",
                        FLAGS + " -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=" + archive));
        return command;
    }

    private void add(String result, int round, int side) throws IOException {
        Matcher benchmark = BENCHMARK.matcher(result);
        benchmark.find();
        StringBuilder row = new StringBuilder(benchmark.group(1) + "/" + benchmark.group(2));
        Matcher params = PARAMS.matcher(result);
        if (params.find()) {
            Matcher param = PARAM.matcher(params.group(1));
            while (param.find()) {
                row.append(' ').append(param.group(1)).append('=').append(param.group(2));
            }
        }
        results.add(
                row.toString(),
                find(UNIT, result),
                find(MODE, result).equals("thrpt"),
                round,
                side,
                Double.parseDouble(find(MEDIAN, result)),
                Double.parseDouble(find(BYTES, result)));
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "NaN";
    }
}
