package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Footprint;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The cost of a connection to a server that has been used once and is idle: objects on the heap
/// (`Heap`), and these and memory outside of the heap together (`Rss`).
///
/// Resident memory itself would tell how many pages of the heap garbage has touched, more or less
/// by accident. So the heap is there as a whole from the beginning, and what lives in it counts.
/// The server has served as many connections before, at most 200 at a time, so that its code is
/// compiled. A connection is idle when nothing has come for two seconds: libraries may keep for a
/// moment what the next request would need.
final class IdleConnections implements Program {
    /// One compiler only: the memory that the other one needs for a moment, and gives back later,
    /// is more than what is measured.
    private static final List<String> FLAGS =
            List.of(
                    "-Xms128m",
                    "-Xmx128m",
                    "-XX:+AlwaysPreTouch",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1");

    private static final int AT_ONCE = 200;
    private static final int IDLE_SECONDS = 2;
    private static final int TIMES_UNTIL_STEADY = 10;
    private static final int PAUSE_MILLIS = 200;
    private static final long STEADY = 64 << 10;

    private final Server.Service service;

    IdleConnections(Server.Service service) {
        this.service = service;
    }

    @Override
    public String operations() {
        return "IdleConnection/Heap IdleConnection/Rss";
    }

    @Override
    public void run(Extent extent, Measured measured) throws InterruptedException {
        for (ServerSide side : ServerSide.all()) {
            System.err.print(" " + side.name());
            try {
                Footprint each = each(side, extent);
                measured.add(row("Heap"), side, (double) each.heap() / extent.connections);
                measured.add(
                        row("Rss"),
                        side,
                        (double) (each.heap() + each.resident()) / extent.connections);
            } catch (IOException e) {
                measured.failure(operations() + ", " + side.name() + ": " + e.getMessage());
            }
        }
    }

    private Row row(String what) {
        Map<String, String> params =
                Map.of("service", service == Server.Service.HTTP ? "http" : "raw");
        return new Row("IdleConnection/" + what, params, "B/connection", false);
    }

    private Footprint each(ServerSide side, Extent extent)
            throws IOException, InterruptedException {
        int connections = extent.connections;
        try (RunningServer server = warm(side, service, connections)) {
            Footprint before = steady(server.process());
            List<RawSocket> idle = open(service, server.tcp(), connections);
            rest(extent);
            Footprint after = steady(server.process());
            close(idle);
            return after.minus(before);
        }
    }

    /// Waits until connections are idle.
    static void rest(Extent extent) throws InterruptedException {
        TimeUnit.SECONDS.sleep(extent == Extent.SMOKE ? 0 : IDLE_SECONDS);
    }

    /// A server that has had `connections`, of which none is left.
    static RunningServer warm(ServerSide side, Server.Service service, int connections)
            throws IOException, InterruptedException {
        List<String> cores = List.of("taskset", "-c", "0");
        RunningServer server = RunningServer.start(side, service, cores, FLAGS);
        try {
            use(server, service, connections);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /// Opens `connections`, uses each once and resets it, at most 200 at a time.
    static void use(RunningServer server, Server.Service service, int connections)
            throws IOException {
        for (int used = 0; used < connections; used += AT_ONCE) {
            close(open(service, server.tcp(), AT_ONCE));
        }
    }

    /// Opens `connections` and uses each once.
    static List<RawSocket> open(Server.Service service, InetSocketAddress server, int connections)
            throws IOException {
        List<RawSocket> sockets = new ArrayList<>();
        while (sockets.size() < connections) {
            List<RawSocket> some = new ArrayList<>();
            for (int i = 0; i < Math.min(AT_ONCE, connections); i++) {
                some.add(RawSocket.connect(server).resetAtClose());
            }
            for (RawSocket socket : some) {
                if (service == Server.Service.HTTP) {
                    socket.sendRequest();
                } else {
                    socket.send(1);
                }
            }
            for (RawSocket socket : some) {
                if (service == Server.Service.HTTP) {
                    socket.awaitResponse();
                } else {
                    socket.await(1);
                }
            }
            sockets.addAll(some);
        }
        return sockets;
    }

    static void close(List<RawSocket> sockets) {
        sockets.forEach(RawSocket::close);
    }

    /// The footprint when it has come to rest.
    static Footprint steady(Child process) throws IOException, InterruptedException {
        Footprint last = process.footprint();
        for (int times = 0; times < TIMES_UNTIL_STEADY; times++) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            Footprint next = process.footprint();
            if (Math.abs(next.minus(last).resident()) < STEADY) {
                return next;
            }
            last = next;
        }
        return last;
    }
}
