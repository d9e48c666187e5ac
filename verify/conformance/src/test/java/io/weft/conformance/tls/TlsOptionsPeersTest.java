package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.conformance.rig.Rig;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Options of openssl and python that most peers do not use.
@Tag("peers")
@Timeout(300)
@ParameterizedClass
@EnumSource
class TlsOptionsPeersTest {
    private static final TlsIdentity RSA =
            CertificateBuilder.subject("CN=rsa")
                    .host("localhost")
                    .key("2048")
                    .signedBy(TlsRig.ROOT);

    private final TlsEngineKind kind;
    private final TlsPrograms programs = new TlsPrograms(() -> this.directory);
    private final LinkedBlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
    private @Nullable Rig rig;
    @TempDir Path directory;

    TlsOptionsPeersTest(TlsEngineKind kind) {
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
        return java.util.Objects.requireNonNull(rig);
    }

    // ---- programs ----

    private Process sClient(int port, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect"));
        command.addAll(List.of("127.0.0.1:" + port, "-CAfile", "root.pem"));
        command.add("-verify_return_error");
        command.addAll(List.of(options));
        return programs.start(command.toArray(String[]::new));
    }

    private static void say(Process process, String text) throws Exception {
        process.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    private static String rest(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        return output;
    }

    /// Reads until it has said `text`; commands are told from data by where a read begins.
    private static void awaitText(Process process, String text) throws Exception {
        InputStream in = process.getInputStream();
        StringBuilder seen = new StringBuilder();
        for (int c; (c = in.read()) >= 0; ) {
            seen.append((char) c);
            if (seen.indexOf(text) >= 0) {
                return;
            }
        }
        throw new AssertionError("no " + text + " in: " + seen);
    }

    // ---- their clients ----

    private int echo(TlsContextBuilder builder) throws Exception {
        TlsContext context = builder.engine(kind).build();
        InetSocketAddress address =
                (InetSocketAddress)
                        rig().listen(
                                        ch -> {
                                            TlsHandler tls = TlsHandler.server(context);
                                            ch.pipeline().addLast(tls).addLast(new TlsRig.Echo());
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

    private Object outcome() throws Exception {
        return java.util.Objects.requireNonNull(outcomes.poll(60, TimeUnit.SECONDS));
    }

    /// Says something, hears it, and goes.
    private void isServed(int port, String... options) throws Exception {
        Process program = sClient(port, options);
        say(program, "hello from afar\n");
        awaitText(program, "\nhello from afar\n");
        program.getOutputStream().close();
        assertThat(rest(program)).as("%s", List.of(options)).doesNotContain("error:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256",
                "-tls1_3 -ciphersuites TLS_AES_256_GCM_SHA384",
                "-tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256",
                "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256",
                "-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384",
                "-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305",
                "-tls1_2 -groups P-256",
                "-tls1_3 -groups P-256",
                "-tls1_3 -groups P-521:X25519",
                "-tls1_3 -groups X448:P-384",
                "-sigalgs ECDSA+SHA256",
                "-tls1_2 -no_ticket",
                "-tls1_3 -no_ticket",
                "-tls1_3 -max_send_frag 512 -split_send_frag 512",
                "-tls1_2 -max_send_frag 512 -split_send_frag 512",
                "-tls1_2 -maxfraglen 512",
                "-tls1_3 -maxfraglen 1024",
                "-noservername",
                "-servername localhost -alpn h2,http/1.1 -status",
                "-tls1_3 -no_middlebox",
                "-tls1_2 -noservername -status -nocommands",
                "-record_padding 1000",
                "-bugs -no_etm -legacy_server_connect",
            })
    void optionsOfClients(String options) throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER).applicationProtocols("http/1.1"));
        isServed(port, options.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ECDHE-RSA-AES128-GCM-SHA256 -sigalgs rsa_pss_rsae_sha256",
                "ECDHE-RSA-AES256-GCM-SHA384 -sigalgs RSA+SHA256",
                "ECDHE-RSA-CHACHA20-POLY1305 -sigalgs RSA+SHA512",
            })
    void suitesOfAnRsaKey(String suite) throws Exception {
        int port = echo(TlsContext.server(RSA));
        isServed(port, ("-tls1_2 -cipher " + suite).split(" "));
    }

    @Test
    void aGroupThatIsAskedForAgain() throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER).groups("secp384r1"));
        isServed(port, "-tls1_3", "-groups", "X25519:P-384");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-tls1_1 -cipher DEFAULT@SECLEVEL=0",
                "-tls1 -cipher DEFAULT@SECLEVEL=0",
                "-tls1_2 -cipher AES128-SHA",
                "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA",
                "-tls1_3 -groups ffdhe8192",
                "-sigalgs RSA+SHA256",
                "-alpn mqtt",
            })
    void whatIsRefused(String options) throws Exception {
        int port =
                echo(
                        TlsContext.server(TlsRig.SERVER)
                                .groups("x25519", "secp256r1")
                                .applicationProtocols("http/1.1"));
        Process program = sClient(port, options.split(" "));
        program.getOutputStream().close();
        assertThat(rest(program)).contains("alert");
        assertThat(outcome()).isInstanceOf(TlsException.AlertSent.class);
        isServed(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "K"})
    void keysThatAreUpdated(String command) throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER));
        Process program = sClient(port, "-tls1_3");
        for (int i = 0; i < 3; i++) {
            say(program, "before " + i + "\n");
            awaitText(program, "before " + i + "\n");
            say(program, command + "\n");
            awaitText(program, "KEYUPDATE\n");
            say(program, "after " + i + "\n");
            awaitText(program, "after " + i + "\n");
        }
        program.getOutputStream().close();
        assertThat(rest(program)).doesNotContain("error:");
    }

    @Test
    void aClientThatRenegotiatesIsSentAway() throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER));
        Process program = sClient(port, "-tls1_2");
        say(program, "hello from afar\n");
        awaitText(program, "\nhello from afar\n");
        say(program, "R\n");
        assertThat(rest(program)).contains("RENEGOTIATING").contains("alert");
        isServed(port);
    }

    @Test
    void aClientThatComesBackFiveTimesResumes() throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER));
        Process program = sClient(port, "-tls1_2", "-reconnect");
        program.getOutputStream().close();
        assertThat(rest(program).split("Reused, TLSv1.2", -1)).hasSize(6);
    }

    /// Of somebody else's session, so that they are refused: by OpenSSL as if they had not come
    /// (RFC 8446 section 4.2.10); the JDK cannot skip what it cannot decrypt.
    @Test
    void earlyDataIsNotTaken() throws Exception {
        int other = sServer("-tls1_3", "-early_data");
        Process first = sClient(other, "-tls1_3", "-sess_out", "session");
        Path session = directory.resolve("session");
        Rig.awaitTrue(
                "a ticket",
                () -> {
                    try {
                        return Files.exists(session)
                                && Files.readString(session).contains("-----END");
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
        first.destroy();
        Files.writeString(directory.resolve("early"), "transfer 1000\n");
        int port = echo(TlsContext.server(TlsRig.SERVER));
        Process program = sClient(port, "-tls1_3", "-sess_in", "session", "-early_data", "early");
        awaitText(program, "Early data was rejected");
        if (kind == TlsEngineKind.JDK) {
            assertThat(rest(program)).contains("alert bad record mac");
            assertThat(outcome()).isInstanceOf(TlsException.AlertSent.class);
        } else {
            say(program, "hello from afar\n");
            awaitText(program, "\nhello from afar\n");
            program.getOutputStream().close();
            assertThat(rest(program)).doesNotContain("transfer 1000", "error:");
        }
        isServed(port);
    }

    @Test
    void pythonHearsTheEnd() throws Exception {
        int port = echo(TlsContext.server(TlsRig.SERVER));
        String script =
                """
                import socket, ssl, sys
                for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                    c = ssl.create_default_context(cafile='root.pem')
                    c.minimum_version = c.maximum_version = version
                    s = c.wrap_socket(socket.create_connection(('127.0.0.1', int(sys.argv[1]))), server_hostname='localhost')
                    big = bytes(200000)
                    got = b''
                    for i in range(0, len(big), 50000):
                        s.sendall(big[i:i + 50000])
                        while len(got) < i + 50000:
                            got += s.recv(65536)
                    assert got == big
                    s.unwrap()
                    print('ended', s.version() or version.name)
                """;
        Process program = programs.start("python3", "-c", script, Integer.toString(port));
        assertThat(rest(program).split("ended", -1)).hasSize(3);
    }

    // ---- their servers ----

    private int sServer(String... options) throws Exception {
        return port(sServerProgram(options));
    }

    private Process sServerProgram(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "s_server"));
        command.addAll(List.of("-accept", "127.0.0.1:0", "-cert", "server.pem"));
        command.addAll(List.of("-key", "server.key"));
        command.addAll(List.of(options));
        return programs.start(command.toArray(String[]::new));
    }

    private static int port(Process program) throws Exception {
        InputStream in = program.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) >= 0; ) {
            if (c != '\n') {
                line.append((char) c);
            } else if (line.indexOf("ACCEPT") == 0) {
                return Integer.parseInt(line.substring(line.lastIndexOf(":") + 1).strip());
            } else {
                line.setLength(0);
            }
        }
        throw new AssertionError("s_server: " + line);
    }

    private TlsContextBuilder client() {
        return TlsContext.client().engine(kind).trust(TlsRig.ROOT.certificate());
    }

    private Channel connect(TlsHandler tls, ChannelHandler last, int port) {
        return rig().connectWeft(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        ch -> ch.pipeline().addLast(tls).addLast(last));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-tls1_3 -num_tickets 0",
                "-tls1_3 -num_tickets 5",
                "-tls1_2 -no_ticket",
                "-tls1_3 -no_ticket",
                "-tls1_3 -groups P-384",
                "-tls1_2 -groups P-521",
                "-tls1_3 -max_send_frag 512 -split_send_frag 512",
                "-tls1_2 -max_send_frag 512 -split_send_frag 512",
                "-tls1_3 -record_padding 4096",
                "-tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256",
                "-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384",
                "-no_middlebox -serverpref",
            })
    void optionsOfServers(String options) throws Exception {
        String[] all = (options + " -rev").split(" ");
        int port = sServer(all);
        TlsContext context = client().build();
        for (int i = 0; i < 2; i++) {
            TlsHandler tls = TlsHandler.client(context, "localhost", port);
            TlsRig.Ear ear = new TlsRig.Ear();
            Channel channel = connect(tls, ear, port);
            channel.writeAndFlush(Rig.buffer("hello\nCLOSE\n"));
            assertThat(Rig.await(ear.all)).as("%s", options).contains("olleh");
            assertThat(tls.handshake().isSuccess()).isTrue();
            channel.close().join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "K"})
    void keysThatAServerUpdates(String command) throws Exception {
        Process program = sServerProgram("-tls1_3");
        int port = port(program);
        TlsHandler tls = TlsHandler.client(client().build(), "localhost", port);
        CompletableFuture<String> answer = new CompletableFuture<>();
        ChannelHandler ear =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Buffer in = (Buffer) message) {
                            answer.complete(in.readString(StandardCharsets.US_ASCII));
                        }
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        answer.completeExceptionally(cause);
                    }
                };
        Channel channel = connect(tls, ear, port);
        channel.writeAndFlush(Rig.buffer("one\n"));
        awaitText(program, "one\n");
        say(program, command + "\n"); // is read before what comes from us
        channel.writeAndFlush(Rig.buffer("two\n"));
        awaitText(program, "two\n");
        say(program, "answer\n");
        channel.writeAndFlush(Rig.buffer("three\n"));
        awaitText(program, "three\n");
        assertThat(Rig.await(answer)).isEqualTo("answer\n");
        channel.close().join();
    }

    @Test
    void aServerThatRenegotiatesIsLeft() throws Exception {
        Process program = sServerProgram("-tls1_2");
        int port = port(program);
        TlsHandler tls =
                TlsHandler.client(
                        client().protocols(TlsProtocol.TLS_1_2).build(), "localhost", port);
        TlsRig.Ear ear = new TlsRig.Ear();
        Channel channel = connect(tls, ear, port);
        channel.writeAndFlush(Rig.buffer("one\n"));
        awaitText(program, "one\n");
        say(program, "r\n");
        var cause = ear.all.handle((_, failure) -> failure);
        assertThat(Rig.await(cause)).isInstanceOf(TlsException.Renegotiation.class);
        channel.closeFuture().join();
    }
}
