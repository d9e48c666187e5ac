package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.mainjob.Command;
import io.weft.bench.transport.process.server.Footprint;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The cost of a server by the number of its HTTP connections that are idle: what they occupy
/// (`Memory`), how much of a second of its core goes to nothing but them (`IdleCpu`), and what a
/// request on 64 others costs beside them (`RequestCpu`).
///
/// `docs/scale.md` is the model that these figures are compared with. One compiler runs only, for
/// the reason that [IdleConnections] has, so a request costs more here than elsewhere.
final class ScaleRows implements Program {
    private static final int[] CONNECTIONS = {0, 1_000, 4_000, 8_000, 16_000};
    private static final List<String> SIDES =
            List.of("weftUring", "weftEpoll", "nettyUring", "nettyEpoll");
    private static final int WARM_UP = 2_000;
    private static final int WINDOW_MILLIS = 1_000;
    private static final int IDLE_SECONDS = 3;
    private static final int REST_SECONDS = 5;

    @Override
    public String operations() {
        return "Scale/Memory Scale/IdleCpu Scale/RequestCpu";
    }

    @Override
    public void run(Extent extent, Measured measured) throws IOException, InterruptedException {
        for (ServerSide side : ServerSide.all()) {
            if (!SIDES.contains(side.name())) {
                continue;
            }
            System.err.print(" " + side.name());
            try {
                for (int connections : CONNECTIONS) {
                    if (extent != Extent.SMOKE || connections <= extent.connections) {
                        measure(side, connections, extent, measured);
                    }
                }
            } catch (IOException e) {
                measured.failure("Scale, " + side.name() + ": " + e.getMessage());
            }
        }
    }

    private static void measure(ServerSide side, int connections, Extent extent, Measured measured)
            throws IOException, InterruptedException {
        try (RunningServer server = IdleConnections.warm(side, Server.Service.HTTP, WARM_UP)) {
            requests(server, extent);
            // What the load needed is given back only after a while.
            TimeUnit.SECONDS.sleep(extent == Extent.SMOKE ? 0 : REST_SECONDS);
            Footprint before = IdleConnections.steady(server.process());
            List<RawSocket> idle =
                    IdleConnections.open(Server.Service.HTTP, server.tcp(), connections);
            try {
                IdleConnections.rest(extent);
                Footprint more = IdleConnections.steady(server.process()).minus(before);
                measure(server, side, connections, more, extent, measured);
            } finally {
                IdleConnections.close(idle);
            }
        }
    }

    private static void measure(
            RunningServer server,
            ServerSide side,
            int connections,
            Footprint more,
            Extent extent,
            Measured measured)
            throws IOException, InterruptedException {
        Map<String, String> params = Map.of("connections", Integer.toString(connections));
        if (connections > 0) {
            Row memory = new Row("Scale/Memory", params, "B/connection", false);
            double bytes = more.heap() + more.resident();
            measured.add(memory, side, bytes / connections);
        }
        Row idleCpu = new Row("Scale/IdleCpu", params, "µs/s", false);
        measured.add(idleCpu, side, idleMicros(server.process(), extent));
        Row requestCpu = new Row("Scale/RequestCpu", params, "µs/request", false);
        measured.add(requestCpu, side, requests(server, extent));
    }

    /// Microseconds of a second that the server works.
    private static double idleMicros(Child server, Extent extent)
            throws IOException, InterruptedException {
        int seconds = extent == Extent.SMOKE ? 0 : IDLE_SECONDS;
        TimeUnit.SECONDS.sleep(seconds / 3); // what the footprint started is over
        long cpu = server.cpuNanos();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double nanos = System.nanoTime() - start;
        return (server.cpuNanos() - cpu) / nanos * 1e6;
    }

    /// Microseconds that a request takes; 0 where there is no wrk.
    private static double requests(RunningServer server, Extent extent)
            throws IOException, InterruptedException {
        if (!Command.exists("wrk")) {
            return 0;
        }
        String url = "http://127.0.0.1:" + server.tcp().getPort() + "/";
        return extent.measure(
                server,
                () -> {
                    long cpu = server.process().cpuNanos();
                    long count = WrkLoad.send(List.of(), url, WINDOW_MILLIS).requests();
                    return (server.process().cpuNanos() - cpu) / 1e3 / count;
                });
    }
}
