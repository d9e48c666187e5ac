package io.weft.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The interoperability tests of gRPC with the official client and server of Go, and with Python's
/// grpcio.
@Tag("peers")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class GrpcPeersTest {
    private static final int SECONDS = 120;

    /// Cases of grpc-go's client that need nothing of Google's clouds.
    private static final List<String> GO_CASES =
            List.of(
                    "empty_unary",
                    "large_unary",
                    "client_streaming",
                    "server_streaming",
                    "ping_pong",
                    "empty_stream",
                    "timeout_on_sleeping_server",
                    "cancel_after_begin",
                    "cancel_after_first_response",
                    "status_code_and_message",
                    "special_status_message",
                    "custom_metadata",
                    "unimplemented_method",
                    "unimplemented_service",
                    "pick_first_unary");

    /// Cases that a server fails which does not look at the compression of what it gets.
    private static final Set<String> PROBED =
            Set.of("client_compressed_unary", "client_compressed_streaming");

    /// Cases that a server without compression fails.
    private static final Set<String> COMPRESSED =
            Set.of(
                    "client_compressed_unary",
                    "client_compressed_streaming",
                    "server_compressed_unary",
                    "server_compressed_streaming");

    private final List<Process> processes = new ArrayList<>();

    @TempDir private Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void end() {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String go(String program) {
        Path path = Path.of(System.getProperty("user.home"), "go/bin/grpc-interop", program);
        Assumptions.assumeTrue(
                Files.isExecutable(path), path + " is missing (dev/install-peers.sh installs it)");
        return path.toString();
    }

    private String python() throws Exception {
        Process probe;
        try {
            probe = start("probe", "python3", "-c", "import grpc");
        } catch (IOException e) {
            Assumptions.abort("python3 is not on the PATH (dev/install-peers.sh installs it)");
            throw e;
        }
        boolean there = probe.waitFor(SECONDS, TimeUnit.SECONDS) && probe.exitValue() == 0;
        Assumptions.assumeTrue(there, "grpcio is missing (dev/install-peers.sh installs it)");
        Path script = directory.resolve("grpc_peer.py");
        try (InputStream in =
                Objects.requireNonNull(GrpcPeersTest.class.getResourceAsStream("grpc_peer.py"))) {
            Files.write(script, in.readAllBytes());
        }
        return script.toString();
    }

    private Process start(String name, String... command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve(name + ".txt").toFile())
                        .start();
        processes.add(process);
        return process;
    }

    /// Runs a program to its end.
    ///
    /// @return its exit code and what it printed
    private String run(String name, String... command) throws Exception {
        Process process = start(name, command);
        boolean ends = process.waitFor(SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String printed = Files.readString(directory.resolve(name + ".txt"));
        return ends ? process.exitValue() + "\n" + printed : "does not end\n" + printed;
    }

    // ---- TLS ----

    private Path certificate() {
        return directory.resolve("cert.pem");
    }

    private Path key() throws Exception {
        Path key = directory.resolve("key.pem");
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost", "127.0.0.1");
        Files.writeString(certificate(), Pem.write(identity.certificate()));
        return Files.writeString(key, Pem.write(identity.key()));
    }

    // ---- our server ----

    private Served serve(boolean tls) throws Exception {
        if (!tls) {
            return Served.start(GrpcInterop::start, "nio");
        }
        Path key = key();
        return Served.start(options -> GrpcInterop.start(options, certificate(), key), "nio");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientOfGo(boolean tls) throws Exception {
        String client = go("client");
        try (Served server = serve(tls)) {
            for (String name : GO_CASES) {
                List<String> command = new ArrayList<>(List.of(client, "-test_case", name));
                command.addAll(List.of("-server_host", "127.0.0.1"));
                command.addAll(List.of("-server_port", "" + server.address().getPort()));
                if (tls) {
                    command.addAll(List.of("-use_tls", "-use_test_ca", "-ca_file"));
                    command.addAll(List.of("" + certificate(), "-server_host_override"));
                    command.add("localhost");
                }
                assertThat(run(name, command.toArray(String[]::new))).as(name).startsWith("0\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientOfPython(boolean tls) throws Exception {
        String script = python();
        try (Served server = serve(tls)) {
            List<String> command = new ArrayList<>(List.of("python3", script, "client"));
            command.add("" + server.address().getPort());
            if (tls) {
                command.add("" + certificate());
            }
            String printed = run("python", command.toArray(String[]::new));
            assertThat(printed.lines().skip(1))
                    .containsExactlyInAnyOrderElementsOf(passed(Set.of()));
        }
    }

    // ---- our client ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void serverOfGo(boolean tls) throws Exception {
        List<String> command = new ArrayList<>(List.of(go("server")));
        if (tls) {
            Path key = key();
            command.addAll(List.of("-use_tls", "-tls_key_file", "" + key));
            command.addAll(List.of("-tls_cert_file", "" + certificate()));
        }
        int port = startListening(command);
        // It has no codec of gzip, and answers without compression.
        assertThat(ours(port, tls)).containsAll(passed(COMPRESSED));
    }

    /// Starts a program that does not say its port: with one that is free now, or another one when
    /// somebody has taken that.
    private int startListening(List<String> command) throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            int port = Ports.free();
            List<String> whole = new ArrayList<>(command);
            whole.addAll(List.of("-port", "" + port));
            if (listens(start("server" + attempt, whole.toArray(String[]::new)), port)) {
                return port;
            }
        }
        throw new AssertionError("the server does not start");
    }

    private static boolean listens(Process server, int port) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (server.isAlive() && System.nanoTime() < end) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5000);
                return true;
            } catch (IOException e) {
                // not yet
            }
            try {
                var _ = server.onExit().get(50, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // lives
            }
        }
        return false;
    }

    @Test
    void serverOfPython() throws Exception {
        String script = python();
        Process server =
                new ProcessBuilder("python3", script, "server")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        processes.add(server);
        try (BufferedReader said = server.inputReader(UTF_8)) {
            int port = Integer.parseInt(String.valueOf(said.readLine()));
            // It cannot tell whether a message was compressed.
            assertThat(ours(port, false)).containsAll(passed(PROBED));
        }
    }

    private List<String> ours(int port, boolean tls) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, UTF_8);
        List<String> args =
                new ArrayList<>(List.of("--client", (tls ? "localhost:" : "127.0.0.1:") + port));
        args.addAll(List.of("--case", "all"));
        if (tls) {
            args.addAll(List.of("--ca", "" + certificate()));
        }
        int exit = GrpcInterop.run(print, print, args.toArray(String[]::new));
        assertThat(exit).as(out::toString).isEqualTo(1); // what such a server cannot do
        return out.toString(UTF_8).lines().toList();
    }

    /// The lines of all cases that pass.
    private static List<String> passed(Set<String> but) {
        Set<String> names = new TreeSet<>(GrpcInteropCases.ALL.keySet());
        names.removeAll(but);
        return names.stream().map(name -> name + ": passed").toList();
    }
}
