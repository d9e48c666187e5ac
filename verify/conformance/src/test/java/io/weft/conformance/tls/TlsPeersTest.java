package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.conformance.rig.Rig;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.x509.TlsTrust;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// openssl and curl talk to Weft, and openssl is talked to.
@Tag("peers")
@Timeout(300)
@ParameterizedClass
@EnumSource
class TlsPeersTest {
    private final TlsEngineKind kind;
    @TempDir Path directory;
    private final TlsPrograms programs = new TlsPrograms(() -> this.directory);
    private @Nullable Rig rig;

    TlsPeersTest(TlsEngineKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void peersAreOn() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        String unavailable = TlsContext.unavailable(kind);
        Assumptions.assumeTrue(unavailable.isEmpty(), unavailable);
        TlsRig.warmUp();
        programs.write("root", TlsRig.ROOT);
        programs.write("server", TlsRig.SERVER);
        programs.write("client", TlsRig.CLIENT);
        rig = new Rig("nio", 1);
    }

    @AfterEach
    void close() throws Exception {
        programs.end();
        if (rig != null) {
            rig.close();
        }
    }

    private Rig rig() {
        if (rig == null) {
            throw new AssertionError("no rig");
        }
        return rig;
    }

    /// Runs it to its end, with `said` on its standard input.
    private String run(String said, String... command) throws Exception {
        Process process = programs.start(command);
        try {
            process.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended already; its output tells why.
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        return output;
    }

    private static String[] with(String[] some, String... more) {
        String[] all = Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    // ---- their clients ----

    private final LinkedBlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();

    /// Answers the first bytes and closes.
    private int answering(TlsContextBuilder builder) throws Exception {
        TlsContext context = builder.engine(kind).build();
        InetSocketAddress address =
                (InetSocketAddress)
                        rig().listen(
                                        ch -> {
                                            TlsHandler tls = TlsHandler.server(context);
                                            ch.pipeline().addLast(tls).addLast(new Answer());
                                            tls.handshake()
                                                    .addListener(
                                                            f ->
                                                                    outcomes.add(
                                                                            f.isSuccess()
                                                                                    ? f.now()
                                                                                    : f.cause()));
                                        });
        return address.getPort();
    }

    private static final class Answer implements io.weft.channel.ChannelHandler {
        @Override
        public void channelRead(io.weft.channel.ChannelHandlerContext ctx, Object message) {
            ((io.weft.buffer.Buffer) message).release();
            ctx.writeAndFlush(
                    Rig.buffer(
                            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
                                    + "Connection: close\r\n\r\nhello"));
            ctx.close();
        }

        @Override
        public void exceptionCaught(io.weft.channel.ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private TlsSession session() throws Exception {
        Object outcome = outcomes.poll(60, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(TlsSession.class);
        return (TlsSession) java.util.Objects.requireNonNull(outcome);
    }

    private String[] sClient(int port, String version) {
        return new String[] {
            "openssl",
            "s_client",
            "-connect",
            "127.0.0.1:" + port,
            "-servername",
            "localhost",
            "-" + version,
            "-CAfile",
            "root.pem",
            "-verify_return_error",
            "-verify_hostname",
            "localhost",
            "-ign_eof"
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sClientIsServed(String version) throws Exception {
        int port = answering(TlsContext.server(TlsRig.SERVER).applicationProtocols("http/1.1"));
        String output = run("hi\n", with(sClient(port, version), "-alpn", "h2,http/1.1"));
        assertThat(output).contains("Verification: OK", "hello", "ALPN protocol: http/1.1");
        TlsSession session = session();
        assertThat(session.serverName()).isEqualTo("localhost");
        assertThat(session.applicationProtocol()).isEqualTo("http/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sClientResumes(String version) throws Exception {
        int port = answering(TlsContext.server(TlsRig.SERVER));
        String first = run("hi\n", with(sClient(port, version), "-sess_out", "session"));
        assertThat(first).contains("New, TLSv1");
        assertThat(session().resumed()).isFalse();
        String second = run("hi\n", with(sClient(port, version), "-sess_in", "session"));
        assertThat(second).contains("Reused, TLSv1", "hello");
        assertThat(session().resumed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sClientShowsItsCertificate(String version) throws Exception {
        int port =
                answering(
                        TlsContext.server(TlsRig.SERVER)
                                .trust(TlsRig.ROOT.certificate())
                                .clientAuth(ClientAuth.REQUIRE));
        String with =
                run(
                        "hi\n",
                        with(sClient(port, version), "-cert", "client.pem", "-key", "client.key"));
        assertThat(with).contains("hello");
        assertThat(session().peerCertificate()).isEqualTo(TlsRig.CLIENT.certificate());
        // Says nothing: what it sends to a connection that is closed is answered with a reset, and
        // it would not read the alert.
        String without = run("", sClient(port, version));
        assertThat(without).contains("alert").doesNotContain("hello");
        assertThat(outcomes.poll(60, TimeUnit.SECONDS))
                .isInstanceOf(TlsException.CertificateRefused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void curlIsServed(String version) throws Exception {
        int port = answering(TlsContext.server(TlsRig.SERVER));
        String output =
                run(
                        "",
                        "curl",
                        "-sS",
                        "--max-time",
                        "60",
                        "--noproxy",
                        "*",
                        "--cacert",
                        "root.pem",
                        "--tlsv" + version,
                        "--tls-max",
                        version,
                        "https://localhost:" + port + "/",
                        "--resolve",
                        "localhost:" + port + ":127.0.0.1");
        assertThat(output).isEqualTo("hello");
        assertThat(session().protocol().standardName()).isEqualTo("TLSv" + version);
    }

    // ---- their servers ----

    /// Sends each line back reversed.
    private int sServer(String... options) throws Exception {
        String[] command = {
            "openssl",
            "s_server",
            "-accept",
            "127.0.0.1:0",
            "-cert",
            "server.pem",
            "-key",
            "server.key",
            "-rev"
        };
        BufferedReader out = programs.start(with(command, options)).inputReader();
        List<String> seen = new ArrayList<>();
        for (String line; (line = out.readLine()) != null; ) {
            seen.add(line);
            if (line.startsWith("ACCEPT")) {
                return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).strip());
            }
        }
        throw new AssertionError("s_server: " + seen);
    }

    /// Returns the answer to a line; ends at the server's first answer.
    private static final class Line implements io.weft.channel.ChannelHandler {
        final java.util.concurrent.CompletableFuture<String> answer =
                new java.util.concurrent.CompletableFuture<>();

        @Override
        public void channelRead(io.weft.channel.ChannelHandlerContext ctx, Object message) {
            try (io.weft.buffer.Buffer in = (io.weft.buffer.Buffer) message) {
                answer.complete(in.readString(StandardCharsets.US_ASCII));
            }
            ctx.close();
        }

        @Override
        public void exceptionCaught(io.weft.channel.ChannelHandlerContext ctx, Throwable cause) {
            answer.completeExceptionally(cause);
            ctx.close();
        }
    }

    private TlsSession converse(TlsContext context, int port) {
        TlsHandler tls = TlsHandler.client(context, "localhost", port);
        Line line = new Line();
        Channel channel =
                rig().connectWeft(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                ch -> ch.pipeline().addLast(tls).addLast(line));
        channel.writeAndFlush(Rig.buffer("hello\n"));
        assertThat(Rig.await(line.answer)).startsWith("olleh");
        TlsSession session = tls.handshake().join();
        channel.closeFuture().join();
        return session;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sServerServes(String version) throws Exception {
        int port = sServer("-" + version, "-alpn", "h2");
        TlsContext context =
                TlsContext.client()
                        .engine(kind)
                        .trust(TlsRig.ROOT.certificate())
                        .applicationProtocols("h2")
                        .build();
        TlsSession session = converse(context, port);
        assertThat(session.applicationProtocol()).isEqualTo("h2");
        assertThat(session.resumed()).isFalse();
        assertThat(session.peerCertificate()).isEqualTo(TlsRig.SERVER.certificate());
        assertThat(converse(context, port).resumed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sServerSeesOurCertificate(String version) throws Exception {
        int port = sServer("-" + version, "-Verify", "1", "-CAfile", "root.pem");
        TlsContext context =
                TlsContext.client()
                        .engine(kind)
                        .trust(TlsRig.ROOT.certificate())
                        .identity(TlsRig.CLIENT)
                        .build();
        assertThat(converse(context, port).localCertificates())
                .contains(TlsRig.CLIENT.certificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls1_2", "tls1_3"})
    void sServerStaplesItsStatus(String version) throws Exception {
        String serial = TlsRig.SERVER.certificate().getSerialNumber().toString(16);
        String padded = (serial.length() % 2 == 0 ? "" : "0") + serial;
        for (String status :
                new String[] {"V\t391231235959Z\t", "R\t391231235959Z\t250101000000Z"}) {
            Files.writeString(
                    directory.resolve("index"),
                    status
                            + "\t"
                            + padded.toUpperCase(java.util.Locale.ROOT)
                            + "\tunknown\t/CN=server\n");
            Files.writeString(directory.resolve("index.attr"), "unique_subject = no\n");
            run(
                    "",
                    "openssl",
                    "ocsp",
                    "-issuer",
                    "root.pem",
                    "-cert",
                    "server.pem",
                    "-reqout",
                    "req",
                    "-no_nonce");
            run(
                    "",
                    "openssl",
                    "ocsp",
                    "-index",
                    "index",
                    "-CA",
                    "root.pem",
                    "-rsigner",
                    "root.pem",
                    "-rkey",
                    "root.key",
                    "-reqin",
                    "req",
                    "-respout",
                    "status",
                    "-ndays",
                    "1");
            assertThat(directory.resolve("status")).isNotEmptyFile();
            int port = sServer("-" + version, "-status_file", "status");
            TlsContext context =
                    TlsContext.client()
                            .engine(kind)
                            .trust(
                                    TlsTrust.withRevocation(
                                            List.of(TlsRig.ROOT.certificate()), List.of()))
                            .build();
            if (status.startsWith("V")) {
                assertThat(converse(context, port).resumed()).isFalse();
            } else {
                TlsHandler tls = TlsHandler.client(context, "localhost", port);
                Channel channel =
                        rig().connectWeft(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port),
                                        ch -> ch.pipeline().addLast(tls));
                channel.closeFuture().join();
                assertThat(tls.handshake().cause())
                        .isInstanceOf(TlsException.CertificateRefused.class)
                        .extracting("fault")
                        .hasToString("REVOKED");
            }
        }
    }
}
