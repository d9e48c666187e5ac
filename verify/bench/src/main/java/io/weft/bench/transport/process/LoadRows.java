package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The work of servers under load: how much of it a second (`Rate`), and what of their core each
/// costs (`Cpu`).
///
/// If the load generator is the limit, the rate says little, and the cost all the more.
final class LoadRows implements Program {
    /// @param name of the operation
    /// @param each what is counted
    record Load(String name, Map<String, String> params, String each, Window window) {}

    /// Puts load on a server.
    @FunctionalInterface
    interface Window {
        /// @param nanos for about so long
        Done run(RunningServer server, long nanos) throws IOException, InterruptedException;
    }

    /// @param count what the server did meanwhile
    /// @param nanos how long it took
    /// @param cpuNanos how long the server was at work in that time
    record Done(long count, long nanos, long cpuNanos) {}

    private final List<Load> loads;
    private final Server.Service service;

    LoadRows(List<Load> loads, Server.Service service) {
        this.loads = loads;
        this.service = service;
    }

    @Override
    public String operations() {
        return String.join(" ", loads.stream().map(LoadRows::operations).distinct().toList());
    }

    private static String operations(Load load) {
        return load.name + "/Rate " + load.name + "/Cpu";
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        List<ServerSide> sides =
                extent == Extent.SMOKE
                        ? ServerSide.all()
                        : ServerSide.andUnsafe(extent == Extent.QUICK);
        try (LoadServers servers = new LoadServers(sides, service, measured)) {
            for (Load load : loads) {
                if (measured.wants(operations(load))) {
                    System.err.print(" " + load.name + load.params.values());
                    rounds(load, servers, extent, measured);
                }
            }
        }
    }

    private static void rounds(Load load, LoadServers servers, Extent extent, Measured measured)
            throws IOException, InterruptedException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(extent.windowMillis);
        for (int round = extent.firstRound(); round < extent.rounds; round++) {
            for (ServerSide side : servers.round(round)) {
                RunningServer server = servers.of(side);
                try {
                    Done done = extent.measure(server, () -> load.window.run(server, nanos));
                    if (round >= 0) {
                        add(load, side, done, measured);
                    }
                } catch (IOException e) {
                    measured.failure(
                            operations(load)
                                    + load.params
                                    + ", "
                                    + side.name()
                                    + ": "
                                    + e.getMessage());
                    servers.drop(side);
                }
            }
        }
    }

    private static void add(Load load, ServerSide side, Done done, Measured measured) {
        Row rate = new Row(load.name + "/Rate", load.params, load.each + "s/s", true);
        measured.add(rate, side, done.count * 1e9 / done.nanos);
        Row cpu = new Row(load.name + "/Cpu", load.params, "µs/" + load.each, false);
        measured.add(cpu, side, done.cpuNanos / 1e3 / done.count);
    }
}
