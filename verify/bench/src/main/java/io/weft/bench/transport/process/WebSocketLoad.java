package io.weft.bench.transport.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.bench.transport.process.server.Http1Answers;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Connections of WebSocket to an echo server, with one binary message under way on each. They are
/// taken in turn.
final class WebSocketLoad implements AutoCloseable {
    private static final int CONNECTIONS = 64;
    private static final int STRIDE = 16;
    private static final String HANDSHAKE =
            """
            GET PATH HTTP/1.1\r
            Host: localhost\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r
            """;

    private final List<SocketChannel> sockets = new ArrayList<>();
    private final ByteBuffer frame;

    /// The echo is the frame without the mask.
    private final ByteBuffer echo;

    static List<LoadRows.Load> loads() {
        List<LoadRows.Load> loads = new ArrayList<>();
        for (int size : new int[] {64, 4096}) {
            Map<String, String> params = new TreeMap<>();
            params.put("size", Integer.toString(size));
            params.put("connections", Integer.toString(CONNECTIONS));
            loads.add(
                    new LoadRows.Load(
                            "WebSocketEcho",
                            params,
                            "message",
                            (server, nanos) -> {
                                try (WebSocketLoad load = new WebSocketLoad(server.tcp(), size)) {
                                    return load.run(server.process(), nanos);
                                }
                            }));
        }
        return loads;
    }

    private WebSocketLoad(InetSocketAddress server, int size) throws IOException {
        frame = frame(size);
        echo = ByteBuffer.allocateDirect(frame.capacity() - 4);
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel socket = SocketChannel.open(server);
                sockets.add(socket);
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                open(socket);
                send(socket);
            }
            receiveAll();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// A binary message in one frame, masked (RFC 6455, 5.2).
    private static ByteBuffer frame(int size) {
        ByteBuffer frame = ByteBuffer.allocateDirect((size < 126 ? 2 : 4) + 4 + size);
        frame.put((byte) 0x82);
        if (size < 126) {
            frame.put((byte) (0x80 | size));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) size);
        }
        return frame.putInt(0x01020304).clear();
    }

    private static void open(SocketChannel socket) throws IOException {
        byte[] request = HANDSHAKE.replace("PATH", Http1Answers.ECHO).getBytes(US_ASCII);
        int _ = socket.write(ByteBuffer.wrap(request));
        ByteBuffer one = ByteBuffer.allocate(1);
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n")) {
            read(socket, one);
            answer.append((char) one.get(0));
        }
        if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
            throw new IOException("handshake: " + answer);
        }
    }

    private static void read(SocketChannel socket, ByteBuffer into) throws IOException {
        into.clear();
        while (into.hasRemaining()) {
            if (socket.read(into) < 0) {
                throw new EOFException("the server has closed a connection");
            }
        }
    }

    private void send(SocketChannel socket) throws IOException {
        frame.clear();
        while (frame.hasRemaining()) {
            int _ = socket.write(frame);
        }
    }

    private void receiveAll() throws IOException {
        for (SocketChannel socket : sockets) {
            read(socket, echo);
        }
    }

    private LoadRows.Done run(Child server, long nanos) throws IOException {
        for (SocketChannel socket : sockets) {
            send(socket);
        }
        long cpu = server.cpuNanos();
        long start = System.nanoTime();
        long now = start;
        long echoed = 0;
        int at = 0;
        while (now - start < nanos) {
            for (int i = 0; i < STRIDE; i++) {
                SocketChannel socket = sockets.get(at);
                at = at + 1 == sockets.size() ? 0 : at + 1;
                read(socket, echo);
                send(socket);
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
        for (SocketChannel socket : sockets) {
            try {
                socket.close();
            } catch (IOException _) {
                // It is of no use any more in any case.
            }
        }
        sockets.clear();
    }
}
