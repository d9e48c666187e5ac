package io.weft.bench.transport.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The servers of others that answer as [Http1Answers] says, each as its documentation writes one.
final class Rivals {
    private static final List<String> ON_THE_JVM =
            List.of("vertx", "helidon", "jetty", "undertow", "jdk");

    private Rivals() {}

    /// Starts them.
    ///
    /// @param built the folder into which `bench.sh rivals` builds them; null for none
    static void start(LoadServers servers, @Nullable Path built, Measured measured)
            throws InterruptedException {
        if (built != null) {
            for (var rival : commands(built, measured).entrySet()) {
                servers.add(rival.getKey(), rival.getValue(), measured);
            }
        }
    }

    private static Map<ServerSide, List<String>> commands(Path built, Measured measured) {
        Map<ServerSide, List<String>> commands = new LinkedHashMap<>();
        for (String name : ON_THE_JVM) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(LoadServers.FLAGS);
            command.add("--enable-native-access=ALL-UNNAMED");
            command.addAll(List.of("-cp", built + "/classes:" + built + "/lib/*"));
            command.addAll(List.of("io.weft.rivals.Answers", name, built + "/keys.p12"));
            commands.put(ServerSide.other(name), command);
        }
        List<String> pem = List.of(built + "/certificate.pem", built + "/key.pem");
        for (String name : List.of("answers-go", "nginx-answers.sh")) {
            Path program = built.resolve(name);
            ServerSide side = ServerSide.other(name.startsWith("nginx") ? "nginx" : "go");
            if (Files.isExecutable(program)) {
                List<String> command = new ArrayList<>(List.of(program.toString()));
                command.addAll(pem);
                commands.put(side, command);
            } else {
                measured.remark(side.name() + ": skipped, " + program + " is not built");
            }
        }
        return commands;
    }
}
