package io.weft.bench.mainjob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The load generator, on core 1.
final class Wrk {
    private final Map<Load, Path> scripts = new EnumMap<>(Load.class);

    Wrk() throws IOException {
        for (Load load : Load.values()) {
            String script =
                    "CONNECTIONS = %d\nDEPTH = %d\n".formatted(Load.CONNECTIONS, load.depth)
                            + resource("report.lua")
                            + (load.depth > 1 ? resource("pipeline.lua") : "");
            Path file = Files.createTempFile("weft-bench-", ".lua");
            file.toFile().deleteOnExit();
            scripts.put(load, Files.writeString(file, script));
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Wrk.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("not in the jar: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Puts load on a server for some seconds.
    ///
    /// @param wrapper a program and its options that runs wrk as its child, or nothing
    WrkReport run(List<String> wrapper, Load load, String url, double seconds)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(wrapper);
        // wrk itself takes whole seconds only; at SIGINT it ends early and reports the time that it
        // ran.
        command.addAll(List.of("timeout", "--foreground", "-k", "20", "-s", "INT"));
        command.add(Double.toString(seconds));
        command.addAll(List.of("taskset", "-c", "1", "wrk", "-t1", "-c" + Load.CONNECTIONS));
        command.addAll(List.of("-d600s", "-s", String.valueOf(scripts.get(load))));
        command.addAll(load.wrkOptions());
        command.add(url);
        return WrkReport.parse(Command.run(command).output());
    }
}
