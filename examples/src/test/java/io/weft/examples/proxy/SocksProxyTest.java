package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll", "nio"})
@Timeout(300)
class SocksProxyTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final String LOCAL = "\1\177\0\0\1";

    private final String transport;
    private final ServerSocket server;

    SocksProxyTest(String transport) throws IOException {
        this.transport = transport;
        server = new ServerSocket(0, 50, LOOPBACK);
    }

    @BeforeEach
    void waitNoLongerThanTheTest() throws IOException {
        server.setSoTimeout(60_000);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private Served proxy(String... args) {
        Extras extras = SocksProxy.extras(args);
        return Served.start(options -> SocksProxy.start(options, extras), transport);
    }

    private static String port(int port) {
        return "" + (char) (port >> 8) + (char) (port & 0xFF);
    }

    private static void send(Socket to, String wire) throws IOException {
        to.getOutputStream().write(wire.getBytes(ISO_8859_1));
    }

    private static String receive(Socket from, int length) throws IOException {
        from.setSoTimeout(60_000);
        return new String(from.getInputStream().readNBytes(length), ISO_8859_1);
    }

    /// Bytes of the destination right behind the request, the request at once.
    private void talksThrough(Served proxy, String request, int before) throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, request + "early");
            try (Socket behind = server.accept()) {
                assertThat(receive(behind, 5)).isEqualTo("early");
                send(behind, "answer");
                behind.shutdownOutput();
                assertThat(receive(client, before + 6)).endsWith("answer");
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void eachVersionConnects() throws Exception {
        String port = port(server.getLocalPort());
        try (Served proxy = proxy()) {
            talksThrough(proxy, "\4\1" + port + "\177\0\0\1me\0", 8);
            talksThrough(proxy, "\4\1" + port + "\0\0\0\1\0localhost\0", 8);
            talksThrough(proxy, "\5\1\0\5\1\0" + LOCAL + port, 12);
            talksThrough(proxy, "\5\1\0\5\1\0\3\11localhost" + port, 12);
        }
    }

    @Test
    void connectionRefusedIsTold() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            send(client, "\5\1\0\5\1\0" + LOCAL + port(Ports.free()));
            assertThat(receive(client, 12)).startsWith("\5\0\5\5");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void loginIsAskedForWhereThereIsOne() throws Exception {
        String request = "\5\1\0" + LOCAL + port(server.getLocalPort());
        try (Served proxy = proxy("--user", "me:secret")) {
            talksThrough(proxy, "\5\1\2\1\2me\6secret" + request, 14);
            for (String wrong :
                    new String[] {"\5\1\0", "\5\1\2\1\2me\5wrong", "\4\1\0\7\177\0\0\1\0"}) {
                try (Socket client = proxy.connect()) {
                    send(client, wrong);
                    assertThat(receive(client, 100)).hasSizeBetween(2, 8);
                }
            }
        }
    }

    @Test
    void nameWithAColonIsAnotherLogin() throws Exception {
        try (Served proxy = proxy("--user", "a:b:c")) {
            for (String[] login : new String[][] {{"\1a\3b:c", "\0"}, {"\3a:b\1c", "\1"}}) {
                try (Socket client = proxy.connect()) {
                    send(client, "\5\1\2\1" + login[0]);
                    assertThat(receive(client, 4)).isEqualTo("\5\2\1" + login[1]);
                }
            }
        }
    }

    @Test
    void loginWithoutANameIsNone() {
        for (String login : new String[] {"secret", ":secret"}) {
            assertThatThrownBy(() -> proxy("--user", login))
                    .hasMessage("--user: no colon (expected: NAME:PASSWORD)");
        }
    }

    @Test
    void deniedDestinationsAreRefusedAlsoByName() throws Exception {
        String port = port(server.getLocalPort());
        try (Served proxy = proxy("--deny-to", "127.0.0.0/8", "--deny-to", "::1")) {
            for (String to : new String[] {LOCAL, "\3\11localhost", "\3\t127.0.0.1"}) {
                try (Socket client = proxy.connect()) {
                    send(client, "\5\1\0\5\1\0" + to + port);
                    assertThat(receive(client, 12)).startsWith("\5\0\5\2");
                }
            }
        }
    }

    @Test
    void proxyThatWouldBeOpenDoesNotStart() {
        Extras none = Extras.take(new String[0], "");
        Options open = Options.parse(0, "--host", "0.0.0.0", "--transport", "nio");
        assertThatThrownBy(() -> SocksProxy.start(open, none)).hasMessageContaining("open relay");
    }

    @Test
    void malformedRequestsAreAnswered() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            send(client, "\5\1\0\5\1\0\2");
            assertThat(receive(client, 12)).startsWith("\5\0\5\10");
        }
    }

    @Test
    void bindTakesOneConnectionOfTheHostThatWasNamed() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            send(client, "\5\1\0\5\2\0" + LOCAL + "\0\0");
            String first = receive(client, 12).substring(2);
            assertThat(first).startsWith("\5\0\0" + LOCAL);
            try (Socket peer = new Socket(LOOPBACK, (first.charAt(8) << 8) | first.charAt(9))) {
                assertThat(receive(client, 10))
                        .isEqualTo("\5\0\0" + LOCAL + port(peer.getLocalPort()));
                send(peer, "ping");
                assertThat(receive(client, 4)).isEqualTo("ping");
                send(client, "pong");
                assertThat(receive(peer, 4)).isEqualTo("pong");
            }
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    /// A client that nobody notices keeps its listener until the time-out of 30 seconds.
    @Test
    void clientThatLeavesDuringBindTakesItsListenerAlong() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            send(client, "\5\1\0\5\2\0" + LOCAL + "\0\0early");
            String first = receive(client, 12).substring(2);
            client.shutdownOutput();
            client.setSoTimeout(20_000);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            int port = (first.charAt(8) << 8) | first.charAt(9);
            assertThatThrownBy(
                            () -> {
                                while (true) { // the listener closes on another loop
                                    new Socket(LOOPBACK, port).close();
                                }
                            })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void bytesBeforeTheConnectionOfBindAreKept() throws Exception {
        String early = "x".repeat(1 << 20);
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            send(client, "\5\1\0\5\2\0" + LOCAL + "\0\0");
            String first = receive(client, 12).substring(2);
            Thread sender = Thread.ofVirtual().start(() -> sendQuietly(client, early));
            try (Socket peer = new Socket(LOOPBACK, (first.charAt(8) << 8) | first.charAt(9))) {
                assertThat(receive(client, 10)).startsWith("\5\0\0" + LOCAL);
                assertThat(receive(peer, early.length())).isEqualTo(early);
            }
            sender.join();
        }
    }

    private static void sendQuietly(Socket to, String text) {
        try {
            send(to, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The proxy listens on all addresses, as one for others does.
    private Served open(String... args) {
        Extras extras = Extras.take(args, "", "--allow", "--deny-to");
        return Served.start(
                own -> {
                    InetAddress any = InetAddress.ofLiteral("0.0.0.0");
                    Options all = new Options(any, 0, own.transport(), own.loops());
                    return SocksProxy.start(all, extras);
                },
                transport);
    }

    private static Socket client(Served proxy) throws IOException {
        return new Socket(LOOPBACK, proxy.address().getPort());
    }

    @Test
    void bindTakesAConnectionFromAnyone() throws Exception {
        try (Served proxy = open("--allow", "192.0.2.0/24");
                Socket client = client(proxy)) {
            send(client, "\5\1\0\5\2\0\1\0\0\0\0\0\0");
            String first = receive(client, 12).substring(2);
            assertThat(first).startsWith("\5\0\0" + LOCAL);
            try (Socket peer = new Socket(LOOPBACK, (first.charAt(8) << 8) | first.charAt(9))) {
                assertThat(receive(client, 10))
                        .isEqualTo("\5\0\0" + LOCAL + port(peer.getLocalPort()));
            }
        }
    }

    @Test
    void bindTakesNoConnectionFromThoseThatAreDenied() throws Exception {
        try (Served proxy = open("--allow", "192.0.2.0/24", "--deny-to", "127.0.0.0/8");
                Socket client = client(proxy)) {
            send(client, "\5\1\0\5\2\0\1\0\0\0\0\0\0");
            String first = receive(client, 12).substring(2);
            try (Socket peer = new Socket(LOOPBACK, (first.charAt(8) << 8) | first.charAt(9))) {
                peer.setSoTimeout(60_000);
                assertThat(peer.getInputStream()).satisfies(SocksProxyTest::isBroken);
            }
        }
    }

    private static void isBroken(InputStream in) {
        try {
            assertThat(in.read()).isEqualTo(-1);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the peer is waited for", e);
        } catch (IOException reset) {
            // expected
        }
    }

    @Test
    void datagramsAreRelayedBothWays() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect();
                DatagramSocket own = new DatagramSocket(0, LOOPBACK);
                DatagramSocket peer = new DatagramSocket(0, LOOPBACK)) {
            own.setSoTimeout(60_000);
            peer.setSoTimeout(60_000);
            send(client, "\5\1\0\5\3\0\1\0\0\0\0\0\0");
            String reply = receive(client, 12).substring(2);
            assertThat(reply).startsWith("\5\0\0" + LOCAL);
            int relay = (reply.charAt(8) << 8) | reply.charAt(9);
            String header = "\0\0\0" + LOCAL + port(peer.getLocalPort());
            byte[] fragment = header.replace("\0\0\0", "\0\0\1").getBytes(ISO_8859_1);
            own.send(new DatagramPacket(fragment, fragment.length, LOOPBACK, relay));
            byte[] packet = (header + "ping").getBytes(ISO_8859_1);
            own.send(new DatagramPacket(packet, packet.length, LOOPBACK, relay));
            DatagramPacket got = new DatagramPacket(new byte[100], 100);
            peer.receive(got);
            assertThat(text(got)).isEqualTo("ping");
            peer.send(new DatagramPacket(new byte[] {'p', 'o'}, 2, got.getSocketAddress()));
            DatagramPacket back = new DatagramPacket(new byte[100], 100);
            own.receive(back);
            assertThat(text(back)).isEqualTo(header + "po");
        }
    }

    /// The longest that IPv4 has room for, with the header of the client's.
    @Test
    void longDatagramsArriveWhole() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect();
                DatagramSocket own = new DatagramSocket(0, LOOPBACK);
                DatagramSocket peer = new DatagramSocket(0, LOOPBACK)) {
            own.setSoTimeout(60_000);
            peer.setSoTimeout(60_000);
            send(client, "\5\1\0\5\3\0\1\0\0\0\0\0\0");
            String reply = receive(client, 12).substring(2);
            int relay = (reply.charAt(8) << 8) | reply.charAt(9);
            String data = "<" + "x".repeat(65_507 - 10 - 2) + ">";
            String header = "\0\0\0" + LOCAL + port(peer.getLocalPort());
            byte[] packet = (header + data).getBytes(ISO_8859_1);
            own.send(new DatagramPacket(packet, packet.length, LOOPBACK, relay));
            DatagramPacket got = new DatagramPacket(new byte[70_000], 70_000);
            peer.receive(got);
            assertThat(text(got)).isEqualTo(data);
            peer.send(new DatagramPacket(got.getData(), got.getLength(), got.getSocketAddress()));
            DatagramPacket back = new DatagramPacket(new byte[70_000], 70_000);
            own.receive(back);
            assertThat(text(back)).isEqualTo(header + data);
        }
    }

    @Test
    void datagramsGoToNamesAndOfStrangersNoneComeBack() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect();
                DatagramSocket own = new DatagramSocket(0, LOOPBACK);
                DatagramSocket stranger = new DatagramSocket(0, LOOPBACK);
                DatagramSocket peer = new DatagramSocket(0, LOOPBACK)) {
            own.setSoTimeout(60_000);
            peer.setSoTimeout(60_000);
            send(client, "\5\1\0\5\3\0\1\0\0\0\0\0\0");
            String reply = receive(client, 12).substring(2);
            int relay = (reply.charAt(8) << 8) | reply.charAt(9);
            String port = port(peer.getLocalPort());
            byte[] packet = ("\0\0\0\3\t127.0.0.1" + port + "ping").getBytes(ISO_8859_1);
            own.send(new DatagramPacket(packet, packet.length, LOOPBACK, relay));
            DatagramPacket got = new DatagramPacket(new byte[100], 100);
            peer.receive(got);
            assertThat(text(got)).isEqualTo("ping");
            byte[] evil = "evil".getBytes(ISO_8859_1);
            stranger.send(new DatagramPacket(evil, evil.length, got.getSocketAddress()));
            peer.send(new DatagramPacket(new byte[] {'p', 'o'}, 2, got.getSocketAddress()));
            DatagramPacket back = new DatagramPacket(new byte[100], 100);
            own.receive(back);
            assertThat(text(back)).isEqualTo("\0\0\0" + LOCAL + port + "po");
        }
    }

    /// Attack class: clients that open associations, or connections, and leave them be.
    @Test
    void idleAssociationsAndConnectionsEnd() throws Exception {
        String connect = "\1\0" + LOCAL + port(server.getLocalPort());
        try (Served proxy = proxy("--idle-timeout", "1")) {
            for (String request : new String[] {"\3\0\1\0\0\0\0\0\0", connect}) {
                while (!endsBehindItsReply(proxy, "\5\1\0\5" + request)) {
                    // This machine stood still for the time-out before.
                }
            }
        }
    }

    /// Returns false for a connection that ends before the reply.
    private static boolean endsBehindItsReply(Served proxy, String request) throws Exception {
        try (Socket client = proxy.connect()) {
            String reply;
            try {
                send(client, request);
                reply = receive(client, 12);
            } catch (SocketException e) {
                return false;
            }
            if (reply.length() < 12) {
                return false;
            }
            assertThat(reply).startsWith("\5\0\5\0");
            assertThat(endOf(client)).isEqualTo(-1);
            return true;
        }
    }

    /// The end of input, or a reset, as -1.
    private static int endOf(Socket from) throws IOException {
        try {
            return from.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    private static String text(DatagramPacket packet) {
        return new String(Arrays.copyOf(packet.getData(), packet.getLength()), ISO_8859_1);
    }
}
