package io.weft.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The programs that are shown in Netty and in Weft do the same.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MigrationTest {
    private static final Path PAGE = Docs.ROOT.resolve("docs/guide/netty-examples.md");

    private static final Map<Side, Map<String, Class<?>>> PROGRAMS = new EnumMap<>(Side.class);

    /// The sides of the page.
    enum Side {
        NETTY("io.netty"),
        WEFT("io.weft");

        private final String packageName;

        Side(String packageName) {
            this.packageName = packageName;
        }

        Object call(String program, String name, Object... arguments) throws Exception {
            Class<?> type = PROGRAMS.get(this).get(program);
            assertThat(type).as("%s: %s", this, program).isNotNull();
            Method method =
                    Arrays.stream(type.getDeclaredMethods())
                            .filter(m -> m.getName().equals(name))
                            .findAny()
                            .orElseThrow();
            method.setAccessible(true);
            try {
                return method.invoke(null, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        /// Starts a server on a port that the system chooses.
        int start(String program, Object... files) throws Exception {
            Object[] arguments = new Object[2 + files.length];
            arguments[0] = this == NETTY ? nettyGroup : weftGroup;
            arguments[1] = 0;
            System.arraycopy(files, 0, arguments, 2, files.length);
            SocketAddress address =
                    switch (call(program, "start", arguments)) {
                        case ServerChannel weft -> weft.localAddress();
                        case io.netty.channel.Channel netty -> netty.localAddress();
                        case Object other -> throw new AssertionError(other);
                    };
            return ((InetSocketAddress) address).getPort();
        }
    }

    @TempDir static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static MultiThreadIoEventLoopGroup nettyGroup;

    @SuppressWarnings("NullAway.Init")
    private static EventLoopGroup weftGroup;

    @BeforeAll
    static void compile() throws Exception {
        for (Side side : Side.values()) {
            List<Program> programs =
                    Program.of(PAGE).stream().filter(p -> p.imports(side.packageName)).toList();
            Path classes = Files.createDirectory(directory.resolve(side.toString()));
            assertThat(Program.compile(programs, classes)).isEmpty();
            var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
            Map<String, Class<?>> loaded = new TreeMap<>();
            for (Program program : programs) {
                loaded.put(program.name(), loader.loadClass(program.name()));
            }
            PROGRAMS.put(side, loaded);
        }
    }

    @BeforeEach
    void start() {
        nettyGroup = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        weftGroup = EventLoopGroup.create("nio", 1);
    }

    @AfterEach
    void stop() {
        nettyGroup.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        weftGroup.close();
    }

    @Test
    void eachOfTenProgramsIsShownInNettyAndThenInWeft() throws IOException {
        Map<String, List<Program>> byHeading =
                Program.of(PAGE).stream().collect(Collectors.groupingBy(Program::heading));
        assertThat(byHeading.keySet())
                .map(heading -> heading.replaceFirst("\\..*", ""))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 10).mapToObj(Integer::toString).toList());
        byHeading.forEach(
                (heading, pair) -> {
                    assertThat(pair).as(heading).hasSize(2);
                    assertThat(pair.getFirst().imports("io.netty")).as(heading).isTrue();
                    assertThat(pair.getFirst().imports("io.weft")).as(heading).isFalse();
                    assertThat(pair.getLast().imports("io.weft")).as(heading).isTrue();
                    assertThat(pair.getLast().imports("io.netty")).as(heading).isFalse();
                    assertThat(pair.getFirst().name()).isEqualTo(pair.getLast().name());
                });
    }

    private static String asked(Socket socket, String text, int length) throws IOException {
        try (socket) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(text.getBytes(US_ASCII));
            return new String(socket.getInputStream().readNBytes(length), US_ASCII);
        }
    }

    private static Socket connected(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @ParameterizedTest
    @EnumSource
    void serverEchoes(Side side) throws Exception {
        assertThat(asked(connected(side.start("EchoServer")), "hello", 5)).isEqualTo("hello");
    }

    @ParameterizedTest
    @EnumSource
    void clientHearsItsEcho(Side side) throws Exception {
        int port = side.start("EchoServer");
        Object group = side == Side.NETTY ? nettyGroup : weftGroup;
        var answer = (CompletableFuture<?>) side.call("Client", "ask", group, port, "hello");
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("hello\n");
    }

    @ParameterizedTest
    @EnumSource
    void linesAreShouted(Side side) throws Exception {
        try (Socket socket = connected(side.start("Shout"))) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write("one\r\ntwo\n".getBytes(US_ASCII));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(in.readLine()).isEqualTo("ONE");
            assertThat(in.readLine()).isEqualTo("TWO");
        }
    }

    @ParameterizedTest
    @EnumSource
    void protocolAddsNumbers(Side side) throws Exception {
        try (Socket socket = connected(side.start("Sums"))) {
            socket.setSoTimeout(60_000);
            var out = new DataOutputStream(socket.getOutputStream());
            var in = new DataInputStream(socket.getInputStream());
            for (int number = 3, sum = 3; number < 6; number++, sum += number) {
                out.writeByte('N');
                out.writeLong(number);
                assertThat(in.readByte()).isEqualTo((byte) 'N');
                assertThat(in.readLong()).isEqualTo(sum);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sliceOutlivesTheWhole(Side side) throws Exception {
        assertThat(side.call("Buffers", "run")).isEqualTo("hello|, rest");
    }

    @ParameterizedTest
    @EnumSource
    void serverAndClientOfHttpUnderstandEachOther(Side side) throws Exception {
        int port = side.start("HelloServer");
        Object group = side == Side.NETTY ? nettyGroup : weftGroup;
        String url = "http://127.0.0.1:" + port + "/greeting?name=weaver";
        assertThat(side.call("Fetch", "get", group, url)).isEqualTo("hello weaver");
    }

    @ParameterizedTest
    @EnumSource
    void serverOfTlsEchoes(Side side) throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        Path certificates = pem("CERTIFICATE", identity.certificate().getEncoded());
        Path key = pem("PRIVATE KEY", identity.key().getEncoded());
        int port = side.start("SecureEcho", certificates, key);
        var socket = (SSLSocket) Trusting.context().getSocketFactory().createSocket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
        assertThat(asked(socket, "secret", 6)).isEqualTo("secret");
    }

    private static Path pem(String type, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                Files.createTempFile(directory, "tls", ".pem"),
                "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    @Test
    void heartbeatOfNettyAsksAndThenCloses() throws Exception {
        var channel =
                (io.netty.channel.embedded.EmbeddedChannel) Side.NETTY.call("Heartbeat", "channel");
        channel.freezeTime();
        channel.advanceTimeBy(31, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        io.netty.buffer.ByteBuf ping = channel.readOutbound();
        assertThat(ping.toString(US_ASCII)).isEqualTo("ping\n");
        ping.release();
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(31, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void heartbeatOfWeftAsksAndThenCloses() throws Exception {
        try (var channel =
                (io.weft.channel.EmbeddedChannel) Side.WEFT.call("Heartbeat", "channel")) {
            channel.advance(Duration.ofSeconds(31));
            assertThat(channel.takeOutboundText()).isEqualTo("ping\n");
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofSeconds(31));
            assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void testWithoutANetworkPasses(Side side) throws Exception {
        side.call("LinesTest", "joinsALineThatArrivesInPieces");
    }
}
