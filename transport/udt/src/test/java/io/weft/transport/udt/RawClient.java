package io.weft.transport.udt;

import io.weft.transport.udt.machine.Packets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/// A client that sends whatever packets a test wants, and does nothing by itself.
final class RawClient implements AutoCloseable {
    static final int STREAM = 1;
    static final int MESSAGES = 2;
    private static final int WHOLE = Packets.FIRST | Packets.LAST | Packets.IN_ORDER;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int AGAIN_MILLIS = 100;

    final DatagramSocket socket;
    final int sequence;

    /// Id of the server's socket, once there is a connection.
    int peer;

    private final InetSocketAddress at;
    private final int type;
    private final int id;
    private final Map<Integer, byte[]> heard = new HashMap<>();

    RawClient(InetSocketAddress at, int type, int id, int sequence) throws IOException {
        this.at = at;
        this.type = type;
        this.id = id;
        this.sequence = sequence;
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /// Makes a connection as every client does.
    static RawClient connected(InetSocketAddress at, int type, int sequence) throws IOException {
        RawClient client = new RawClient(at, type, 77, sequence);
        client.handshake(-1, client.cookie());
        client.peer = client.await(p -> isHandshake(p)).getInt(40);
        return client;
    }

    // ---- handshakes ----

    int cookie() throws IOException {
        return cookieAnswer().getInt(44);
    }

    /// Asks for a cookie; so it also waits until the server has seen all that was sent before.
    ByteBuffer cookieAnswer() throws IOException {
        handshake(1, 0);
        return await(p -> isHandshake(p) && p.getInt(36) == 1);
    }

    void handshake(int request, int cookie) throws IOException {
        handshake(request, cookie, 1500, 8192);
    }

    void handshake(int request, int cookie, int segment, int window) throws IOException {
        int[] words = {4, type, sequence, segment, window, request, id, cookie, 0, 0, 0, 0};
        control(0, Packets.HANDSHAKE, 0, words);
    }

    static boolean isHandshake(ByteBuffer packet) {
        return packet.getInt(0) == 0x8000_0000;
    }

    // ---- packets ----

    void control(int kind, int info, int... words) throws IOException {
        control(peer, kind, info, words);
    }

    private void control(int destination, int kind, int info, int[] words) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(16 + 4 * words.length);
        packet.putInt(0x8000_0000 | kind << 16).putInt(info).putInt(0).putInt(destination);
        for (int word : words) {
            packet.putInt(word);
        }
        send(packet.array());
    }

    /// A whole message, or bytes of a stream.
    void data(int number, int message, String text) throws IOException {
        data(number, WHOLE | message, text.getBytes(StandardCharsets.US_ASCII));
    }

    void data(int number, int word, byte[] payload) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(16 + payload.length);
        packet.putInt(number & 0x7FFF_FFFF).putInt(word).putInt(0).putInt(peer).put(payload);
        send(packet.array());
    }

    private void send(byte[] packet) throws IOException {
        socket.send(new DatagramPacket(packet, packet.length, at));
    }

    ByteBuffer await(Predicate<ByteBuffer> wanted) throws IOException {
        long deadline = System.nanoTime() + socket.getSoTimeout() * 1_000_000L;
        while (System.nanoTime() - deadline < 0) { // others may come all the time
            ByteBuffer packet = receive();
            if (wanted.test(packet)) {
                return packet;
            }
        }
        throw new SocketTimeoutException("no such packet");
    }

    private ByteBuffer receive() throws IOException {
        byte[] room = new byte[65_536];
        DatagramPacket packet = new DatagramPacket(room, room.length);
        socket.receive(packet);
        return ByteBuffer.wrap(Arrays.copyOf(room, packet.getLength()));
    }

    static boolean isControl(ByteBuffer packet, int kind) {
        return packet.getInt(0) >>> 16 == (0x8000 | kind);
    }

    /// Waits for a packet of data, without a word to the server.
    void hear() throws IOException {
        ByteBuffer packet = await(p -> p.getInt(0) >= 0);
        int number = packet.getInt(0) - sequence & 0x7FFF_FFFF;
        byte[] payload = new byte[packet.limit() - 16];
        packet.get(16, payload);
        heard.put(number, payload);
    }

    /// Waits until the server's data from [#sequence] on are `text`, and acknowledges them.
    void assertHears(String text) throws IOException {
        while (!heard().equals(text)) {
            hear();
            acknowledge();
        }
    }

    /// Packets, sent.
    @FunctionalInterface
    interface Sending {
        void send() throws IOException;
    }

    /// The same, for which `question` is sent until then: what finds the server's buffer full of
    /// what was sent before is lost.
    void assertHears(String text, Sending question) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        socket.setSoTimeout(AGAIN_MILLIS);
        question.send();
        while (!heard().equals(text)) {
            try {
                hear();
                acknowledge();
            } catch (SocketTimeoutException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                question.send();
            }
        }
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /// Acknowledges what was heard without a gap.
    private void acknowledge() throws IOException {
        int next = 0;
        while (heard.containsKey(next)) {
            next++;
        }
        control(Packets.ACK, 1, sequence + next & 0x7FFF_FFFF, 10_000, 5_000, 8192);
    }

    private String heard() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; heard.containsKey(i); i++) {
            all.writeBytes(heard.get(i));
        }
        return all.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        socket.close();
    }
}
