package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll", "nio"})
@Timeout(300)
class TcpProxyTest {
    private static final int MEGABYTES = 8 << 20;

    private final String transport;
    private final ServerSocket server;

    TcpProxyTest(String transport) throws IOException {
        this.transport = transport;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
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
        return proxyTo(server.getLocalPort(), args);
    }

    private Served proxyTo(int port, String... args) {
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--to";
        all[args.length + 1] = "127.0.0.1:" + port;
        Extras extras = TcpProxy.extras(all);
        return Served.start(options -> TcpProxy.start(options, extras), transport);
    }

    private Socket accept() throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(60_000);
        return socket;
    }

    /// The server answers when it has seen the end of the request.
    @Test
    void endOfInputEndsTheOthersOutputAlone() throws Exception {
        try (Served proxy = proxy();
                Socket client = proxy.connect()) {
            client.getOutputStream().write("request".getBytes(ISO_8859_1));
            client.shutdownOutput();
            try (Socket behind = accept()) {
                assertThat(behind.getInputStream().readAllBytes()).asString().isEqualTo("request");
                behind.getOutputStream().write("answer".getBytes(ISO_8859_1));
            }
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("answer");
        }
    }

    @Test
    void nextServerIsTriedWhenOneCannotBeConnectedTo() throws Exception {
        try (Socket deaf = new Socket()) {
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String down = "127.0.0.1:" + deaf.getLocalPort();
            servesEach(down);
        }
    }

    private void servesEach(String down) throws Exception {
        try (Served proxy = proxy("--to", down, "--to", down)) {
            for (int i = 0; i < 3; i++) { // whoever's turn it is
                try (Socket client = proxy.connect()) {
                    client.getOutputStream().write("request".getBytes(ISO_8859_1));
                    try (Socket behind = accept()) {
                        assertThat(behind.getInputStream().readNBytes(7))
                                .asString()
                                .isEqualTo("request");
                        behind.getOutputStream().write("answer".getBytes(ISO_8859_1));
                    }
                    assertThat(client.getInputStream().readAllBytes())
                            .asString()
                            .isEqualTo("answer");
                }
            }
        }
    }

    @Test
    void megabytesPassBothWaysAtOnce() throws Exception {
        byte[] bytes = new byte[MEGABYTES];
        new Random(Long.getLong("io.weft.test.seed", 1)).nextBytes(bytes);
        try (Served proxy = proxy();
                Socket client = proxy.connect();
                Socket behind = accept()) {
            CompletableFuture<Void> up = send(client, bytes);
            CompletableFuture<Void> down = send(behind, bytes);
            CompletableFuture<byte[]> received =
                    CompletableFuture.supplyAsync(
                            () -> readAll(behind), Thread::startVirtualThread);
            assertThat(readAll(client)).isEqualTo(bytes);
            assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(bytes);
            up.get(60, TimeUnit.SECONDS);
            down.get(60, TimeUnit.SECONDS);
        }
    }

    private static CompletableFuture<Void> send(Socket to, byte[] bytes) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        to.getOutputStream().write(bytes);
                        to.shutdownOutput();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static byte[] readAll(Socket from) {
        try {
            return from.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void serverThatIsNotThereEndsTheConnection() throws Exception {
        try (Served proxy = proxyTo(Ports.free());
                Socket client = proxy.connect()) {
            int end;
            try {
                end = client.getInputStream().read();
            } catch (IOException e) {
                end = -1;
            }
            assertThat(end).isEqualTo(-1);
        }
    }

    /// Attack class: clients that reset their connections while the server's is made, at a cost of a
    /// logged stack trace each (which the build counts), or of a connection that stays.
    @Test
    void clientsThatVanishLeaveNoConnection() throws Exception {
        try (Served proxy = proxy()) {
            for (int i = 0; i < 100; i++) {
                Socket client = proxy.connect();
                if (i % 2 == 0) {
                    client.getOutputStream().write('x');
                }
                client.setSoLinger(true, 0);
                client.close();
            }
            try (Socket last = proxy.connect()) {
                last.getOutputStream().write("last".getBytes(ISO_8859_1));
                last.shutdownOutput();
                for (String text = ""; !text.equals("last"); ) {
                    try (Socket behind = accept()) {
                        text = text(behind);
                    }
                }
            }
        }
    }

    /// All that comes; what a reset took counts as nothing.
    private static String text(Socket from) throws IOException {
        try {
            return new String(from.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException reset) {
            return "";
        }
    }

    /// Attack class: a peer that takes the end of the other's output and never ends its own.
    @Test
    void halfClosedConnectionThatNeverEndsIsAborted() throws Exception {
        try (Served proxy = proxy("--idle-timeout", "1")) {
            while (!isAbortedHalfClosed(proxy)) {
                // This machine stood still for the time-out before.
            }
        }
    }

    /// Returns false for a connection that is aborted before it is half-closed.
    private boolean isAbortedHalfClosed(Served proxy) throws Exception {
        try (Socket client = proxy.connect();
                Socket behind = accept()) {
            client.setSoTimeout(60_000);
            int end;
            try {
                client.shutdownOutput();
                end = behind.getInputStream().read();
            } catch (SocketException e) {
                return false;
            }
            assertThat(end).isEqualTo(-1);
            assertThatThrownBy(() -> client.getInputStream().read())
                    .isInstanceOf(SocketException.class);
            return true;
        }
    }

    @Test
    void idleTimeoutIsANumberOfSeconds() {
        for (String wrong : new String[] {"0", "-1", "1m", "", "2592001", "99999999999"}) {
            Extras extras = TcpProxy.extras("--to", "a:1", "--idle-timeout", wrong);
            assertThatThrownBy(() -> TcpProxy.start(Options.parse(0), extras))
                    .hasMessageContaining("--idle-timeout: " + wrong);
        }
    }

    @Test
    void otherVersionsOfTheHeaderAreNotSent() {
        Extras extras = TcpProxy.extras("--to", "a:1", "--send-proxy", "v1");
        assertThatThrownBy(() -> TcpProxy.start(Options.parse(0), extras))
                .hasMessageContaining("--send-proxy: v1 (expected: v2)");
    }

    @Test
    void proxiesHeadersPassFromOneToTheNext() throws Exception {
        String header = "PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\n";
        try (Served proxy = proxy("--accept-proxy", "127.0.0.0/8", "--send-proxy", "v2");
                Socket client = proxy.connect()) {
            client.getOutputStream().write((header + "hello").getBytes(ISO_8859_1));
            client.shutdownOutput();
            try (Socket behind = accept()) {
                assertThat(new String(readAll(behind), ISO_8859_1))
                        .isEqualTo(
                                "\r\n\r\n\0\r\nQUIT\n\41\21\0\14\300\0\2\1\300\0\2\2\0\5\0\120hello");
            }
        }
    }
}
