package io.weft.tls.openssl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.ffi.openssl.OpenSsl;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.TlsIdentity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Engines against the programs `openssl s_server` and `openssl s_client`, over sockets.
@Tag("peer")
class OpenSslProgramTest {
    /// Only for what would last for ever: a machine may be slow.
    private static final int TIMEOUT_MILLIS = 120_000;

    @TempDir Path directory;

    @BeforeEach
    void writesFiles() throws IOException {
        assumeTrue(OpenSsl.available(), OpenSsl::refusal);
        TlsIdentity identity = EnginePair.IDENTITY;
        try {
            Files.writeString(
                    directory.resolve("cert.pem"),
                    pem("CERTIFICATE", identity.certificate().getEncoded()));
        } catch (java.security.cert.CertificateEncodingException e) {
            throw new IOException(e);
        }
        Files.writeString(
                directory.resolve("key.pem"), pem("PRIVATE KEY", identity.key().getEncoded()));
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }

    private static String flag(TlsProtocol protocol) {
        return protocol == TlsProtocol.TLS_1_3 ? "-tls1_3" : "-tls1_2";
    }

    private Process openssl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(Arrays.asList(arguments));
        try {
            return new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return abort("cannot run openssl: " + e.getMessage());
        }
    }

    /// Carries bytes between an engine and a socket until something is true.
    private interface Until {
        boolean holds();
    }

    private static void carry(Side side, Socket socket, Until until) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] room = new byte[1 << 14];
        while (true) {
            socket.getOutputStream().write(side.takeOutgoing());
            if (until.holds() || side.failure != null) {
                return;
            }
            int length = in.read(room);
            if (length < 0) {
                return;
            }
            side.deliver(Arrays.copyOf(room, length));
        }
    }

    private static TlsSession session(Side side) {
        assertThat(side.failure).isNull();
        TlsSession session = side.completed;
        if (session == null) {
            throw new AssertionError("no handshake");
        }
        return session;
    }

    @ParameterizedTest
    @EnumSource
    void aClientTalksToTheServerProgram(TlsProtocol protocol) throws Exception {
        Process program =
                openssl(
                        "s_server",
                        "-accept",
                        "127.0.0.1:0",
                        "-cert",
                        "cert.pem",
                        "-key",
                        "key.pem",
                        "-alpn",
                        "h2,http/1.1",
                        "-Verify",
                        "1",
                        "-CAfile",
                        "cert.pem",
                        "-rev",
                        flag(protocol));
        try (BufferedReader output = program.inputReader(UTF_8);
                TlsContext context =
                        EnginePair.client(
                                TlsEngineKind.OPENSSL,
                                c ->
                                        c.applicationProtocols("http/1.1")
                                                .identity(EnginePair.IDENTITY))) {
            int port = portOf(output);
            for (int i = 0; i < 3; i++) {
                try (Socket socket = connect(port);
                        Side side = new Side(context, new TlsPeer("example.com", port))) {
                    side.start();
                    carry(side, socket, () -> side.completed != null);
                    TlsSession session = session(side);
                    assertThat(session.protocol()).isEqualTo(protocol);
                    assertThat(session.applicationProtocol()).isEqualTo("http/1.1");
                    assertThat(session.resumed()).isEqualTo(i > 0);
                    side.write("stressed\n");
                    carry(side, socket, () -> side.text().length() >= 9);
                    assertThat(side.text()).isEqualTo("desserts\n");
                    side.engine.closeOutbound(side);
                    carry(side, socket, () -> side.closes > 0);
                }
            }
        } finally {
            program.destroyForcibly();
        }
    }

    private static int portOf(BufferedReader output) throws IOException {
        Pattern accept = Pattern.compile("ACCEPT \\S*:(\\d+)( .*)?");
        StringBuilder seen = new StringBuilder();
        for (String line; (line = output.readLine()) != null; ) {
            Matcher matcher = accept.matcher(line);
            if (matcher.matches()) {
                return Integer.parseInt(matcher.group(1));
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("s_server does not listen: " + seen);
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    @ParameterizedTest
    @EnumSource
    void aServerTalksToTheClientProgram(TlsProtocol protocol) throws Exception {
        byte[] status = {0x30, 0x03, 0x0a, 0x01, 0x06}; // unauthorized
        TlsIdentity identity = EnginePair.IDENTITY.withOcspResponse(status);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsContext context =
                        EnginePair.server(
                                TlsEngineKind.OPENSSL,
                                identity,
                                s ->
                                        s.applicationProtocols("h2", "http/1.1")
                                                .ocspStapling(true)
                                                .clientAuth(ClientAuth.REQUIRE)
                                                .trust(identity.certificate()))) {
            listener.setSoTimeout(TIMEOUT_MILLIS);
            Process program =
                    openssl(
                            "s_client",
                            "-connect",
                            "127.0.0.1:" + listener.getLocalPort(),
                            "-CAfile",
                            "cert.pem",
                            "-verify_return_error",
                            "-verify_hostname",
                            "example.com",
                            "-servername",
                            "example.com",
                            "-alpn",
                            "http/1.1,h2",
                            "-cert",
                            "cert.pem",
                            "-key",
                            "key.pem",
                            "-status",
                            flag(protocol));
            try (Socket socket = listener.accept();
                    Side side = new Side(context, TlsPeer.UNKNOWN)) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                side.start();
                carry(side, socket, () -> side.completed != null);
                TlsSession session = session(side);
                assertThat(session.protocol()).isEqualTo(protocol);
                assertThat(session.applicationProtocol()).isEqualTo("h2");
                assertThat(session.serverName()).isEqualTo("example.com");
                assertThat(session.peerCertificate()).isEqualTo(identity.certificate());
                program.outputWriter(UTF_8).append("hello from s_client\n").flush();
                carry(side, socket, () -> side.text().endsWith("\n"));
                assertThat(side.text()).isEqualTo("hello from s_client\n");
                side.write("hello from here\n");
                side.engine.closeOutbound(side);
                carry(side, socket, () -> side.closes > 0);
                program.outputWriter(UTF_8).close();
                String output = new String(program.getInputStream().readAllBytes(), UTF_8);
                assertThat(output)
                        .contains("Verification: OK")
                        .contains("hello from here")
                        .contains("OCSP Response Status: unauthorized");
            } finally {
                program.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatRefusesIsHeard(TlsProtocol protocol) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsContext context = EnginePair.server(TlsEngineKind.OPENSSL, s -> s)) {
            listener.setSoTimeout(TIMEOUT_MILLIS);
            Process program =
                    openssl(
                            "s_client",
                            "-connect",
                            "127.0.0.1:" + listener.getLocalPort(),
                            "-CAfile",
                            "cert.pem",
                            "-verify_return_error",
                            "-verify_hostname",
                            "example.org",
                            flag(protocol));
            try (Socket socket = listener.accept();
                    Side side = new Side(context, TlsPeer.UNKNOWN)) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                side.start();
                carry(side, socket, () -> false);
                assertThat(side.failure).isInstanceOf(TlsException.AlertReceived.class);
                assertThat(side.completed).isNull();
            } finally {
                program.destroyForcibly();
            }
        }
    }
}
