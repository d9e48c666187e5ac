import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Live heap and memory outside of the heap of an idle connection, by each build's own program of
/// the group `transports`.
record IdleStep(List<Build> builds, int rounds, Path folder, Results results) implements Step {
    private static final Pattern ENTRY =
            Pattern.compile(
                    "\"name\": \"[^\"]*(IdleConnection/\\w+)\".*?\"service\": \"(\\w+)\""
                            + ".*?\"sides\": \\{(.*?)\"ratio_vs_best_peer\"",
                    Pattern.DOTALL);
    private static final Pattern SIDE =
            Pattern.compile("\"weft(\\w+)\": \\{\\s*\"median\": ([-+.\\w]+)");

    @Override
    public String name() {
        return "IdleConnection";
    }

    @Override
    public void run(int round) throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            int side = (i + round) % 2;
            Path json = folder.resolve("idle.json");
            Files.deleteIfExists(json);
            List<String> command = new ArrayList<>(List.of("taskset", "-c", "1"));
            command.addAll(
                    Command.java(
                            "-XX:ActiveProcessorCount=2",
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            builds.get(side).jar().toString(),
                            "io.weft.bench.transport.process.Programs",
                            "transports",
                            "--quick",
                            "--only",
                            "IdleConnection",
                            "--json",
                            json.toString()));
            if (!Command.run(command, folder.resolve("log"))) {
                System.err.println("FAILED: " + name() + ": see " + folder.resolve("log"));
                return;
            }
            Matcher entry = ENTRY.matcher(Files.readString(json));
            while (entry.find()) {
                Matcher each = SIDE.matcher(entry.group(3));
                while (each.find()) {
                    results.add(
                            entry.group(1)
                                    + " service="
                                    + entry.group(2)
                                    + " transport="
                                    + each.group(1).toLowerCase(Locale.ROOT),
                            "B/connection",
                            false,
                            round,
                            side,
                            Double.parseDouble(each.group(2)),
                            Double.NaN);
                }
            }
        }
    }
}
