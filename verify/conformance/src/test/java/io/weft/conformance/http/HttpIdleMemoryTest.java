package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Heap of a server for a connection that has had one request and waits for the next.
@EveryTransport
@Timeout(300)
class HttpIdleMemoryTest {
    private static final int CONNECTIONS = 1000;

    private static final int SETTLING = 10;
    private static final int ROUNDS = 3;

    /// Collections to wait for connections to become quiet: they do within a second.
    private static final int ATTEMPTS = 400;

    /// Bytes of the objects that each connection has. A change that needs more fails, one that
    /// needs less should lower these. What is not here belongs to a loop, such as what it lends to
    /// connections that are active.
    private static final Map<String, Integer> OBJECTS =
            Map.ofEntries(
                    Map.entry("io.weft.channel.Channel", 56),
                    Map.entry("io.weft.channel.ChannelHandlerContext", 48),
                    Map.entry("io.weft.channel.ChannelPipeline", 32),
                    Map.entry("io.weft.channel.HandlerList", 24),
                    Map.entry("io.weft.channel.Inbound", 32),
                    Map.entry("io.weft.channel.Lifecycle", 40),
                    Map.entry("io.weft.channel.Outbound", 48),
                    Map.entry("io.weft.channel.StreamSide", 16),
                    Map.entry("io.weft.loop.Promise", 24),
                    Map.entry("io.weft.transport.uring.UringStream", 80),
                    Map.entry("io.weft.transport.posix.ReadinessStream", 48),
                    Map.entry("io.weft.transport.nio.NioStream", 40),
                    Map.entry("io.weft.http.server.Http1Connection", 32),
                    Map.entry("io.weft.http.server.Deadlines", 56));

    /// Bytes of objects of ours that are not in the table, by the number of connections.
    private static final int OF_LOOPS = 90;

    /// Bytes of all objects on JDK 25, arrays in which engines find their streams among them:
    /// about 570 were measured on io_uring, 540 on epoll and 1,200 on NIO, 670 of which are the JDK's
    /// channel, its key and its addresses. The goal is 768.
    private final long budget;

    private static final String GET =
            "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: idle\r\nAccept: */*\r\n\r\n";

    private final String transport;
    private final List<Socket> sockets = new ArrayList<>();

    HttpIdleMemoryTest(String transport) throws IOException {
        this.transport = transport;
        budget = transport.equals("nio") ? 1400 : 768;
        Rig.assumeSockets(transport);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void open(Child server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(server.address.getAddress(), server.address.getPort());
            sockets.add(socket);
            assertThat(ask(socket, GET)).isEqualTo("hello");
        }
    }

    /// Returns the content of the answer.
    private static String ask(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        String length = head.toString().replaceAll("(?is).*content-length: ([0-9]+).*", "$1");
        return new String(in.readNBytes(Integer.parseInt(length)), US_ASCII);
    }

    /// Bytes by class, after a collection.
    private static Map<String, Long> histogram(Socket socket) throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        ask(socket, GET.replace("/ ", "/histogram "))
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(cells -> cells[0].matches("[0-9]+:"))
                .forEach(cells -> bytes.merge(cells[3], Long.valueOf(cells[2]), Long::sum));
        return bytes;
    }

    /// As [#histogram], when connections have become quiet, and the JVM has what it needs for that.
    private static Map<String, Long> settled(Socket socket) throws IOException {
        Map<String, Long> bytes = histogram(socket);
        for (int i = 0; i < SETTLING; i++) {
            bytes = histogram(socket);
        }
        return bytes;
    }

    @Test
    void anIdleConnectionKeepsLittle() throws Exception {
        try (Child server =
                        new Child(
                                HttpIdleChild.class,
                                transport,
                                0,
                                "--enable-native-access=ALL-UNNAMED");
                Socket observer =
                        new Socket(server.address.getAddress(), server.address.getPort())) {
            open(server, 100);
            Map<String, Long> grown;
            int round = 0;
            // A JVM that loads a class meanwhile, or compiles one, does so once.
            do {
                grown = grownBy(server, observer);
            } while (!isWithin(grown) && ++round < ROUNDS);
            System.out.println(transport + ": " + each(grown) + " B a connection " + grown);
            assertThat(each(grown)).as("%s: %s", transport, grown).isLessThanOrEqualTo(budget);
            assertObjects(grown);
        }
    }

    /// Opens connections, and waits until they keep no more than they may.
    private Map<String, Long> grownBy(Child server, Socket observer) throws IOException {
        Map<String, Long> before = settled(observer);
        open(server, CONNECTIONS);
        Map<String, Long> grown;
        int attempt = 0;
        // A connection forgets its state when it has been quiet for a while.
        do {
            grown = grown(before, histogram(observer));
        } while (!isWithin(grown) && ++attempt < ATTEMPTS);
        return grown;
    }

    private boolean isWithin(Map<String, Long> grown) {
        return each(grown) <= budget && ofLoops(grown) <= OF_LOOPS;
    }

    private static long each(Map<String, Long> grown) {
        return grown.values().stream().mapToLong(Long::longValue).sum() / CONNECTIONS;
    }

    private void assertObjects(Map<String, Long> grown) {
        for (Map.Entry<String, Long> one : grown.entrySet()) {
            Integer most = OBJECTS.get(one.getKey());
            if (most != null) {
                assertThat(one.getValue() / CONNECTIONS)
                        .as("%s: %s", transport, one.getKey())
                        .isLessThanOrEqualTo(most);
            }
        }
        assertThat(ofLoops(grown))
                .as("%s: others of %s", transport, grown)
                .isLessThanOrEqualTo(OF_LOOPS);
    }

    private static long ofLoops(Map<String, Long> grown) {
        long bytes = 0;
        for (Map.Entry<String, Long> one : grown.entrySet()) {
            String name = one.getKey();
            bytes += name.contains("io.weft.") && !OBJECTS.containsKey(name) ? one.getValue() : 0;
        }
        return bytes / CONNECTIONS;
    }

    private static Map<String, Long> grown(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> grown = new TreeMap<>();
        after.forEach(
                (name, bytes) -> {
                    long more = bytes - before.getOrDefault(name, 0L);
                    // The collector fills gaps with elements of its own.
                    if (more >= CONNECTIONS && !name.endsWith(".FillerElement;")) {
                        grown.put(name, more);
                    }
                });
        return grown;
    }
}
