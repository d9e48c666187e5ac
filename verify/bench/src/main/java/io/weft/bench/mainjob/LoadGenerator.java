package io.weft.bench.mainjob;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The load generators, on core 1: wrk, and `saturate` where it is compiled.
final class LoadGenerator {
    private final Map<Load, Path> scripts = new EnumMap<>(Load.class);

    private final @Nullable Path saturate;
    private final List<Load> loads;

    /// @param cPrograms the folder into which `saturate` was compiled, null for none
    LoadGenerator(@Nullable Path cPrograms) throws IOException {
        saturate = Command.compiled(cPrograms, "saturate");
        loads =
                Stream.of(Load.values())
                        .filter(load -> saturate != null || !load.saturates())
                        .toList();
        for (Load load : Load.values()) {
            if (load.saturates()) {
                continue; // without a script
            }
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
        try (InputStream in = LoadGenerator.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("not in the jar: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Returns the kinds of load for which there is a program.
    List<Load> loads() {
        return loads;
    }

    /// Puts load on a server for some seconds.
    ///
    /// @param wrapper a program and its options that runs the generator as its child, or nothing
    WrkReport run(List<String> wrapper, Load load, String url, double seconds)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(wrapper);
        if (load.saturates()) {
            command.addAll(List.of("taskset", "-c", "1", String.valueOf(saturate)));
            command.addAll(List.of("-c", Integer.toString(Load.CONNECTIONS)));
            command.addAll(List.of("-d", Integer.toString(load.depth)));
            command.addAll(List.of(Integer.toString(URI.create(url).getPort())));
            command.add(Double.toString(seconds));
        } else {
            command.addAll(wrk(load, url, seconds));
        }
        return WrkReport.parse(Command.run(command).output());
    }

    private List<String> wrk(Load load, String url, double seconds) {
        // wrk itself takes whole seconds only; at SIGINT it ends early and reports the time that it
        // ran.
        List<String> command =
                new ArrayList<>(List.of("timeout", "--foreground", "-k", "20", "-s", "INT"));
        command.add(Double.toString(seconds));
        command.addAll(List.of("taskset", "-c", "1", "wrk", "-t1", "-c" + Load.CONNECTIONS));
        command.addAll(List.of("-d600s", "-s", String.valueOf(scripts.get(load))));
        command.addAll(load.wrkOptions());
        command.add(url);
        return command;
    }
}
