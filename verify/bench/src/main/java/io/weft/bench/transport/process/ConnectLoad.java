package io.weft.bench.transport.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// New connections to an echo server: each sends a byte, gets it back, and closes in order.
///
/// Over loopback it is the client that does the work of a handshake, in its `connect`. So
/// connections come as bursts: the server is stopped while the kernel queues them, each with its
/// byte; measured is the time from when the server goes on until it has accepted, echoed and closed
/// all of them.
final class ConnectLoad {
    private static final int BURST = 1_000;

    /// A window has no more: the kernel remembers each connection for a minute, and has 28,000
    /// ports for them.
    private static final int MAX_BURSTS = 4;

    private ConnectLoad() {}

    static List<LoadRows.Load> bursts() {
        return List.of(
                new LoadRows.Load("NewConnection", Map.of(), "connection", ConnectLoad::run));
    }

    private static LoadRows.Done run(RunningServer server, long nanos) throws IOException {
        long count = 0;
        long time = 0;
        long cpu = 0;
        try (Shell shell = new Shell()) {
            for (int i = 0; i < MAX_BURSTS && time < nanos; i++) {
                LoadRows.Done burst = burst(server, shell);
                count += burst.count();
                time += burst.nanos();
                cpu += burst.cpuNanos();
            }
        }
        return new LoadRows.Done(count, time, cpu);
    }

    private static LoadRows.Done burst(RunningServer server, Shell shell) throws IOException {
        long pid = server.process().pid();
        List<RawSocket> sockets = new ArrayList<>(BURST);
        try {
            shell.signal("STOP", pid);
            try {
                for (int i = 0; i < BURST; i++) {
                    RawSocket socket = RawSocket.connect(server.tcp());
                    sockets.add(socket);
                    socket.send(1);
                }
            } catch (IOException e) {
                shell.signal("CONT", pid);
                throw e;
            }
            long cpu = server.process().cpuNanos();
            long start = System.nanoTime();
            shell.signal("CONT", pid);
            for (RawSocket socket : sockets) {
                socket.spinFor(1);
                socket.finish();
            }
            for (RawSocket socket : sockets) {
                socket.spinForEnd();
            }
            long nanos = System.nanoTime() - start;
            return new LoadRows.Done(BURST, nanos, server.process().cpuNanos() - cpu);
        } finally {
            sockets.forEach(RawSocket::close);
        }
    }
}
