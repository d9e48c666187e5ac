package io.weft.bench.transport.process;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// Connections to an echo server, with one message under way on each.
///
/// It takes the connections in turn and spins where the echo is not there yet. So it needs two
/// system calls a message and no more, as few as any server does that makes calls; and a server
/// never pays for waking it.
final class EchoLoad implements AutoCloseable {
    /// The interval at which the clock is looked at, in messages.
    private static final int STRIDE = 16;

    private final List<RawSocket> sockets = new ArrayList<>();
    private final int size;

    /// By TCP, for each size and number of connections.
    static List<LoadRows.Load> tcp() {
        List<LoadRows.Load> loads = new ArrayList<>();
        for (int size : new int[] {64, 16 << 10}) {
            for (int connections : new int[] {1, 64, 1_000}) {
                loads.add(load("Echo", size, connections, RunningServer::tcp));
            }
        }
        return loads;
    }

    /// On Unix domain sockets.
    static List<LoadRows.Load> unix() {
        return List.of(
                load("UnixEcho", 64, 64, RunningServer::unix),
                load("UnixEcho", 16 << 10, 64, RunningServer::unix));
    }

    private static LoadRows.Load load(
            String name,
            int size,
            int connections,
            Function<RunningServer, ? extends SocketAddress> address) {
        Map<String, String> params = new TreeMap<>();
        params.put("size", Integer.toString(size));
        params.put("connections", Integer.toString(connections));
        return new LoadRows.Load(
                name,
                params,
                "message",
                (server, nanos) -> {
                    SocketAddress to = address.apply(server);
                    try (EchoLoad load = new EchoLoad(to, connections, size)) {
                        return load.run(server.process(), nanos);
                    }
                });
    }

    /// Connects, and has each connection echo once.
    private EchoLoad(SocketAddress server, int connections, int size) throws IOException {
        this.size = size;
        try {
            for (int i = 0; i < connections; i++) {
                sockets.add(RawSocket.connect(server).resetAtClose());
            }
            sendAll();
            receiveAll();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void sendAll() throws IOException {
        for (RawSocket socket : sockets) {
            socket.send(size);
        }
    }

    private void receiveAll() throws IOException {
        for (RawSocket socket : sockets) {
            socket.spinFor(size);
        }
    }

    private LoadRows.Done run(Child server, long nanos) throws IOException {
        sendAll();
        long cpu = server.cpuNanos();
        long start = System.nanoTime();
        long now = start;
        long echoed = 0;
        int at = 0;
        while (now - start < nanos) {
            for (int i = 0; i < STRIDE; i++) {
                RawSocket socket = sockets.get(at);
                at = at + 1 == sockets.size() ? 0 : at + 1;
                socket.spinFor(size);
                socket.send(size);
            }
            echoed += STRIDE;
            now = System.nanoTime();
        }
        cpu = server.cpuNanos() - cpu;
        receiveAll();
        return new LoadRows.Done(echoed, now - start, cpu);
    }

    @Override
    public void close() {
        sockets.forEach(RawSocket::close);
        sockets.clear();
    }
}
