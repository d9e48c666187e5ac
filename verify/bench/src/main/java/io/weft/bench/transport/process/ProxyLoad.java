package io.weft.bench.transport.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Clients of a proxy and the server behind it, on one thread that spins: nothing here ever sleeps,
/// so the proxy never pays for waking it.
final class ProxyLoad implements AutoCloseable {
    private static final int PIECE = 64 << 10;
    private static final int LARGEST_DROP = 1 << 20;
    private static final int PATIENCE_SECONDS = 10;

    /// Connections that are made at the same time.
    private static final int SLOTS = 32;

    private final RawSocket listener;
    private final InetSocketAddress proxy;

    /// Both ends of each connection through the proxy.
    private record Pair(RawSocket client, RawSocket server) {}

    private final List<Pair> pairs = new ArrayList<>();

    /// @param listener the server's, to which the proxy passes connections on
    /// @param proxy where clients connect to: the proxy, or the listener itself
    ProxyLoad(RawSocket listener, InetSocketAddress proxy) {
        this.listener = listener;
        this.proxy = proxy;
    }

    /// Opens connections, one after the other, so that both ends are known.
    void open(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            RawSocket client = RawSocket.connect(proxy).resetAtClose();
            client.send(1);
            long deadline = deadline();
            @Nullable RawSocket server = listener.accept();
            while (server == null) {
                check(deadline);
                server = listener.accept();
            }
            server.resetAtClose();
            server.spinFor(1);
            pairs.add(new Pair(client, server));
        }
    }

    private static long deadline() {
        return System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
    }

    private static void check(long deadline) throws IOException {
        if (System.nanoTime() - deadline > 0) {
            throw new IOException("nothing came within " + PATIENCE_SECONDS + " s");
        }
    }

    /// Sends bytes from the server to the clients, as many as pass.
    ///
    /// @return bytes that the clients received
    long bytes(long nanos) throws IOException {
        long start = System.nanoTime();
        long received = 0;
        while (System.nanoTime() - start < nanos) {
            for (Pair pair : pairs) {
                int sent;
                do {
                    sent = pair.server.offer(PIECE);
                } while (sent == PIECE);
                received += Math.max(0, pair.client.drop(LARGEST_DROP));
            }
        }
        return received;
    }

    /// Sends a message through each connection in turn and waits for its echo.
    ///
    /// @return nanoseconds that the echoes took, sorted
    long[] echoes(int size, long nanos) throws IOException {
        long[] times = new long[1 << 20];
        int count = 0;
        long start = System.nanoTime();
        for (int at = 0; System.nanoTime() - start < nanos && count < times.length; at++) {
            Pair pair = pairs.get(at % pairs.size());
            long sent = System.nanoTime();
            pair.client.send(size);
            pair.server.spinFor(size);
            pair.server.send(size);
            pair.client.spinFor(size);
            times[count++] = System.nanoTime() - sent;
        }
        long[] all = Arrays.copyOf(times, count);
        Arrays.sort(all);
        return all;
    }

    /// Makes connections: each client sends a byte, the server answers with one and closes, then
    /// the client does.
    ///
    /// @return connections that both ends have closed
    long connections(long nanos) throws IOException {
        @Nullable RawSocket[] clients = new RawSocket[SLOTS];
        List<RawSocket> servers = new ArrayList<>();
        long start = System.nanoTime();
        long last = deadline();
        long done = 0;
        int open = 0;
        boolean more = true;
        try {
            while (more || open > 0) {
                more = more && System.nanoTime() - start < nanos;
                check(last);
                for (int i = 0; i < SLOTS; i++) {
                    RawSocket client = clients[i];
                    if (client == null && more) {
                        RawSocket next = RawSocket.connect(proxy);
                        clients[i] = next;
                        next.send(1);
                        open++;
                    } else if (client != null && client.receive(16) < 0) {
                        client.close();
                        clients[i] = null;
                        open--;
                        done++;
                        last = deadline();
                    }
                }
                serve(servers);
            }
        } finally {
            servers.forEach(RawSocket::close);
            for (RawSocket client : clients) {
                if (client != null) {
                    client.close();
                }
            }
        }
        return done;
    }

    private void serve(List<RawSocket> servers) throws IOException {
        for (RawSocket next; (next = listener.accept()) != null; ) {
            servers.add(next);
        }
        for (int i = servers.size() - 1; i >= 0; i--) {
            RawSocket server = servers.get(i);
            int received = server.receive(1);
            if (received != 0) {
                if (received > 0) {
                    server.send(1);
                }
                server.close();
                servers.remove(i);
            }
        }
    }

    @Override
    public void close() {
        for (Pair pair : pairs) {
            pair.client.close();
            pair.server.close();
        }
        pairs.clear();
    }
}
