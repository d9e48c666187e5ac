package io.weft.bench.transport.process;

import io.weft.bench.jmh.Row;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A server that runs out of descriptors: 400 of them for 600 clients.
///
/// `Cpu`: what it takes of a core while a third of them waits. `Recovery`: the time from when those
/// that it serves have gone until all others have their echo; `state=cold` the first time in the
/// life of the process, `warm` the times after that.
final class Emfile implements Program {
    private static final int DESCRIPTORS = 400;
    private static final int CLIENTS = 600;
    private static final int WARM_UP = 5_000;
    private static final long GIVEN_UP_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final long SERVED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final List<String> LAUNCHER =
            List.of(
                    "sh",
                    "-c",
                    "ulimit -n " + DESCRIPTORS + " && exec taskset -c 0 \"$@\"",
                    "limited");
    private static final List<String> FLAGS = List.of("-Xms128m", "-Xmx128m", "-XX:+UseSerialGC");

    @Override
    public String operations() {
        return "Emfile/Recovery Emfile/Cpu";
    }

    @Override
    public void run(Extent extent, Measured measured) throws InterruptedException {
        for (ServerSide side : ServerSide.all()) {
            System.err.print(" " + side.name());
            try (RunningServer server =
                    RunningServer.start(side, Server.Service.ECHO, LAUNCHER, FLAGS)) {
                // The load's own first close is not what is measured.
                RawSocket.datagrams(server.tcp()).close();
                for (int cycle = 0; cycle <= extent.rounds; cycle++) {
                    boolean recovered =
                            cycle(server, side, cycle == 0 ? "cold" : "warm", extent, measured);
                    if (recovered && cycle == 0) {
                        IdleConnections.use(server, Server.Service.ECHO, WARM_UP);
                    }
                }
            } catch (IOException e) {
                measured.failure(operations() + ", " + side.name() + ": " + e.getMessage());
            }
        }
    }

    /// Tells if all were served in the end.
    private static boolean cycle(
            RunningServer server, ServerSide side, String state, Extent extent, Measured measured)
            throws IOException, InterruptedException {
        Map<String, String> params = Map.of("state", state);
        List<RawSocket> all = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                RawSocket socket = RawSocket.connect(server.tcp()).resetAtClose();
                all.add(socket);
                socket.send(1);
            }
            List<RawSocket> waiting = new ArrayList<>(all);
            long start = System.nanoTime();
            while (System.nanoTime() - start < SERVED_NANOS) {
                forgetEchoed(waiting);
            }
            if (waiting.isEmpty()) {
                throw new IOException("no client had to wait: the limit is not what it should be");
            }
            long window = TimeUnit.MILLISECONDS.toNanos(3L * extent.windowMillis);
            long cpu = server.process().cpuNanos();
            start = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(window);
            // A thread that ended took its time with it.
            cpu = Math.max(0, server.process().cpuNanos() - cpu);
            double busy = 100.0 * cpu / (System.nanoTime() - start);
            measured.add(new Row("Emfile/Cpu", params, "% of a core", false), side, busy);

            List<RawSocket> served = new ArrayList<>(all);
            served.removeAll(waiting);
            start = System.nanoTime();
            served.forEach(RawSocket::close);
            all.removeAll(served);
            int stuck = waiting.size();
            while (!waiting.isEmpty() && System.nanoTime() - start < GIVEN_UP_NANOS) {
                forgetEchoed(waiting);
            }
            double millis = (System.nanoTime() - start) / 1e6;
            measured.add(new Row("Emfile/Recovery", params, "ms", false), side, millis);
            if (!waiting.isEmpty()) {
                measured.remark(
                        "Emfile/Recovery %s, %s: given up, %d of %d still wait; it says: %s"
                                .formatted(
                                        state,
                                        side.name(),
                                        waiting.size(),
                                        stuck,
                                        server.process().lastLine()));
            }
            return waiting.isEmpty();
        } finally {
            all.forEach(RawSocket::close);
        }
    }

    private static void forgetEchoed(List<RawSocket> waiting) throws IOException {
        List<RawSocket> echoed = new ArrayList<>();
        for (RawSocket socket : waiting) {
            if (socket.receive(1) > 0) {
                echoed.add(socket);
            }
        }
        if (!echoed.isEmpty()) {
            waiting.removeAll(echoed);
        }
    }
}
