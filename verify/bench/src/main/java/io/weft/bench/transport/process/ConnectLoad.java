package io.weft.bench.transport.process;

import io.weft.bench.transport.process.server.Http1Answers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// New connections. To an echo server each sends a byte, gets it back, and closes in order; to one
/// of HTTP/1.1 each asks once, with `Connection: close`, and the server closes.
///
/// Over loopback it is the client that does the work of a handshake, in its `connect`. So
/// connections come as bursts: the server is stopped while the kernel queues them, each with its
/// byte or request; measured is the time from when the server goes on until it has accepted,
/// answered and closed all of them.
final class ConnectLoad {
    private static final int BURST = 1_000;

    /// A window has no more: the kernel remembers each connection for a minute, and has 28,000
    /// ports for them.
    private static final int MAX_BURSTS = 4;

    private ConnectLoad() {}

    static List<LoadRows.Load> echo() {
        return List.of(
                new LoadRows.Load(
                        "NewConnection",
                        Map.of(),
                        "connection",
                        (server, nanos) -> run(server, nanos, null)));
    }

    static List<LoadRows.Load> http() {
        String request =
                "GET "
                        + Http1Answers.HELLO
                        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        return List.of(
                new LoadRows.Load(
                        "HttpConnection",
                        Map.of(),
                        "connection",
                        (server, nanos) -> run(server, nanos, request)));
    }

    /// @param request null to have a byte echoed
    private static LoadRows.Done run(RunningServer server, long nanos, @Nullable String request)
            throws IOException {
        long count = 0;
        long time = 0;
        long cpu = 0;
        try (Shell shell = new Shell()) {
            for (int i = 0; i < MAX_BURSTS && time < nanos; i++) {
                LoadRows.Done burst = burst(server, shell, request);
                count += burst.count();
                time += burst.nanos();
                cpu += burst.cpuNanos();
            }
        }
        return new LoadRows.Done(count, time, cpu);
    }

    private static LoadRows.Done burst(RunningServer server, Shell shell, @Nullable String request)
            throws IOException {
        int length = request == null ? 1 : RawSocket.prepare(request);
        long pid = server.process().pid();
        List<RawSocket> sockets = new ArrayList<>(BURST);
        try {
            shell.signal("STOP", pid);
            try {
                for (int i = 0; i < BURST; i++) {
                    RawSocket socket = RawSocket.connect(server.tcp());
                    sockets.add(socket);
                    socket.send(length);
                }
            } catch (IOException e) {
                shell.signal("CONT", pid);
                throw e;
            }
            long cpu = server.process().cpuNanos();
            long start = System.nanoTime();
            shell.signal("CONT", pid);
            if (request == null) {
                for (RawSocket socket : sockets) {
                    socket.spinFor(1);
                    socket.finish();
                }
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
