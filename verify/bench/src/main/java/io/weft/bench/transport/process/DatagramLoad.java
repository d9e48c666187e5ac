package io.weft.bench.transport.process;

import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Datagrams to a server that sends each of them back, [#WINDOW] under way. Sent and received many
/// with one call, so that the server is the limit.
final class DatagramLoad {
    private static final int WINDOW = 64;
    private static final int SIZE = 64;

    /// So long nothing came: what is missing was dropped.
    private static final long LOST_NANOS = 20_000_000;

    private static final long PATIENCE_NANOS = 2_000_000_000;

    private static final long HEADERS =
            Memory.allocate(WINDOW * Sockets.MMSGHDR_SIZE + Sockets.IOVEC_SIZE, 64);

    private DatagramLoad() {}

    static List<LoadRows.Load> loads() {
        return List.of(
                new LoadRows.Load(
                        "Datagrams",
                        Map.of("size", Integer.toString(SIZE)),
                        "datagram",
                        DatagramLoad::run));
    }

    /// All headers point to the same bytes, which are never looked at.
    private static void prepare() {
        long vector = HEADERS + (long) WINDOW * Sockets.MMSGHDR_SIZE;
        Sockets.putIovec(vector, RawSocket.BUFFER, SIZE);
        for (int i = 0; i < WINDOW; i++) {
            Sockets.putMsghdr(HEADERS + (long) i * Sockets.MMSGHDR_SIZE, vector, 1);
        }
    }

    private static LoadRows.Done run(RunningServer server, long nanos) throws IOException {
        prepare();
        try (RawSocket socket = RawSocket.datagrams(server.second())) {
            int fd = socket.descriptor();
            long cpu = server.process().cpuNanos();
            long start = System.nanoTime();
            long now = start;
            long heard = start;
            long echoed = 0;
            send(fd, WINDOW);
            while (now - start < (echoed == 0 ? PATIENCE_NANOS : nanos)) {
                int some = Sockets.recvmmsg(fd, HEADERS, WINDOW, Sockets.MSG_DONTWAIT);
                now = System.nanoTime();
                if (some > 0) {
                    echoed += some;
                    heard = now;
                    send(fd, some);
                } else if (now - heard > LOST_NANOS) {
                    heard = now;
                    send(fd, WINDOW);
                } else {
                    Thread.onSpinWait();
                }
            }
            if (echoed == 0) {
                throw new IOException("no datagram came back");
            }
            return new LoadRows.Done(echoed, now - start, server.process().cpuNanos() - cpu);
        }
    }

    private static void send(int fd, int count) throws IOException {
        for (int sent = 0; sent < count; ) {
            sent += RawSocket.check(Sockets.sendmmsg(fd, HEADERS, count - sent, 0), "sendmmsg");
        }
    }
}
