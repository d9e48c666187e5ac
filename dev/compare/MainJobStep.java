import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `hello-http` under wrk, by the program of the group `main-job`: the rate, the processor's time,
/// system calls and bytes allocated of a request, on each transport.
record MainJobStep(List<Build> builds, int rounds, boolean quick, Path folder, Results results)
        implements Step {
    private static final Pattern ENTRY =
            Pattern.compile(
                    "\"name\": \"main-job/([^\"]*)\".*?\"unit\": \"([^\"]*)\".*?\"better\":"
                        + " \"(\\w+)\".*?\"sides\": \\{(.*?)\"ratio_vs_best_peer\"",
                    Pattern.DOTALL);
    private static final Pattern SIDE =
            Pattern.compile("\"(before|weft) (\\w+)\": \\{\\s*\"median\": ([-+.\\w]+)");

    @Override
    public String name() {
        return "hello-http";
    }

    @Override
    public void run(int round) throws IOException, InterruptedException {
        Path json = folder.resolve("main-job.json");
        Files.deleteIfExists(json);
        List<String> command =
                Command.java(
                        "-cp", builds.get(1).jar().toString(), "io.weft.bench.mainjob.MainJob");
        command.addAll(List.of("--before", builds.get(0).examples()));
        command.addAll(List.of("--weft", builds.get(1).examples()));
        command.addAll(List.of("--json", json.toString()));
        if (quick) {
            command.add("--quick");
        }
        if (!Command.run(command, folder.resolve("log"))) {
            System.err.println("FAILED: " + name() + ": see " + folder.resolve("log"));
            return;
        }
        Matcher entry = ENTRY.matcher(Files.readString(json));
        while (entry.find()) {
            Matcher side = SIDE.matcher(entry.group(4));
            while (side.find()) {
                results.add(
                        entry.group(1) + " transport=" + side.group(2),
                        entry.group(2),
                        entry.group(3).equals("higher"),
                        round,
                        side.group(1).equals("before") ? 0 : 1,
                        Double.parseDouble(side.group(3)),
                        Double.NaN);
            }
        }
    }
}
