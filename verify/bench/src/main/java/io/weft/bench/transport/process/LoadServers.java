package io.weft.bench.transport.process;

import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The servers that are put under load, started once, each on core 0, all idle but for one.
final class LoadServers implements AutoCloseable {
    private static final List<String> CORE = List.of("taskset", "-c", "0");
    static final List<String> FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

    private final Map<ServerSide, RunningServer> running = new LinkedHashMap<>();

    /// Starts those that can be; reports the others.
    LoadServers(List<ServerSide> sides, Server.Service service, Measured measured)
            throws InterruptedException {
        for (ServerSide side : sides) {
            try {
                running.put(side, RunningServer.start(side, service, CORE, FLAGS));
            } catch (IOException e) {
                measured.failure(side.name() + ": " + e.getMessage());
            }
        }
    }

    /// Starts one more side, by its command; reports it if it does not start.
    void add(ServerSide side, List<String> command, Measured measured) throws InterruptedException {
        List<String> pinned = new ArrayList<>(CORE);
        pinned.addAll(command);
        try {
            running.put(side, RunningServer.start(side.name(), pinned));
        } catch (IOException e) {
            measured.failure(side.name() + ": " + e.getMessage());
        }
    }

    RunningServer of(ServerSide side) {
        RunningServer server = running.get(side);
        if (server == null) {
            throw new IllegalStateException(side.name() + " is not started");
        }
        return server;
    }

    /// The sides in the order of one round; each begins with another one.
    List<ServerSide> round(int number) {
        List<ServerSide> sides = new ArrayList<>(running.keySet());
        Collections.rotate(sides, -number);
        return sides;
    }

    /// Drops a side that failed: it no longer takes part.
    void drop(ServerSide side) throws IOException {
        RunningServer server = running.remove(side);
        if (server != null) {
            server.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (ServerSide side : List.copyOf(running.keySet())) {
            drop(side);
        }
    }
}
