package io.weft.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The files of `examples/scale-out`, with HAProxy in front of two processes. The number of rolling
/// restarts is `io.weft.restarts`, 1 unless set: `dev/rolling-restart.sh`.
@Tag("peers")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ScaleOutPeersTest {
    private static final int RESTARTS = Integer.getInteger("io.weft.restarts", 1);
    private static final Path FILES = Path.of("scale-out").toAbsolutePath();

    @TempDir Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    /// A port that nobody else gets until the end, and that processes bind with SO_REUSEPORT.
    private static SocketChannel reserve() throws Exception {
        SocketChannel holder = SocketChannel.open(StandardProtocolFamily.INET);
        holder.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        return holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static int port(SocketChannel holder) throws Exception {
        return ((InetSocketAddress) holder.getLocalAddress()).getPort();
    }

    private static Scaled server(String name, int port) throws Exception {
        return Scaled.start(
                "--name",
                name,
                "--port",
                "" + port,
                "--accept-proxy",
                "127.0.0.0/8",
                "--loops",
                "1",
                "--leave",
                "60");
    }

    private static Path program(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator))
                .map(at -> Path.of(at, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(
                        () ->
                                Assumptions.abort(
                                        name
                                                + " is not on the PATH (dev/install-peers.sh"
                                                + " installs it)"));
    }

    private Process haproxy(int front, int one, int two) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        program("haproxy").toString(), "-db", "-f", FILES + "/haproxy.cfg");
        builder.environment().put("FRONT", "127.0.0.1:" + front);
        builder.environment().put("ONE", "127.0.0.1:" + one);
        builder.environment().put("TWO", "127.0.0.1:" + two);
        builder.environment().put("ADMIN", admin().toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("haproxy.log").toFile())
                .start();
    }

    private Path admin() {
        return directory.resolve("admin");
    }

    /// Waits until HAProxy says that the server is up.
    private void awaitUp(String server) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        String said = "";
        while (System.nanoTime() < deadline) {
            if (Files.exists(admin())) {
                try (SocketChannel socket =
                        SocketChannel.open(UnixDomainSocketAddress.of(admin()))) {
                    socket.write(ByteBuffer.wrap("show stat\n".getBytes(US_ASCII)));
                    said = new String(Channels.newInputStream(socket).readAllBytes(), US_ASCII);
                }
                if (said.lines()
                        .map(line -> line.split(",", -1))
                        .anyMatch(
                                f ->
                                        f.length > 17
                                                && f[0].equals("servers")
                                                && f[1].equals(server)
                                                && f[17].equals("UP"))) {
                    return;
                }
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError(said + Files.readString(directory.resolve("haproxy.log")));
    }

    private static String served(int front, String from) throws Exception {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(60_000);
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), front));
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                    .getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return answer.substring(answer.indexOf("\r\n\r\n") + 4).strip();
        }
    }

    @Test
    void rollingRestartLosesNoRequestAndBreaksNoConnection() throws Exception {
        Path program = program("haproxy");
        assertThat(program).exists();
        List<Scaled> processes = new ArrayList<>();
        Process haproxy = null;
        try (SocketChannel one = reserve();
                SocketChannel two = reserve()) {
            int[] ports = {port(one), port(two)};
            String[] names = {"one", "two"};
            Scaled[] running = new Scaled[2];
            for (int i = 0; i < 2; i++) {
                running[i] = server(names[i], ports[i]);
                processes.add(running[i]);
            }
            int front = Ports.free();
            haproxy = haproxy(front, ports[0], ports[1]);
            awaitUp("one");
            awaitUp("two");
            stickyClientsAreToldApart(front);
            try (ScaledLoad load = new ScaledLoad(front, 6)) {
                for (int i = 0; i < RESTARTS * 2; i++) {
                    int which = i % 2;
                    load.awaitAnswers(100);
                    running[which].terminate();
                    load.awaitAnswers(100);
                    running[which] = server(names[which], ports[which]);
                    processes.add(running[which]);
                    awaitUp(names[which]);
                    assertThat(load.lost).isEmpty();
                }
                load.awaitAnswers(100);
                assertThat(load.lost).isEmpty();
                assertThat(load.ends).as("connections that were ended").hasValue(0);
            }
        } finally {
            if (haproxy != null) {
                haproxy.destroyForcibly();
            }
            processes.forEach(Scaled::close);
        }
    }

    /// Each client stays with its server, which knows its address by the PROXY protocol.
    private static void stickyClientsAreToldApart(int front) throws Exception {
        for (String client : List.of("127.0.0.21", "127.0.0.22")) {
            String first = served(front, client);
            assertThat(first).contains("hello from ").contains("you are /" + client + ":");
            String name = first.substring(0, first.indexOf(','));
            for (int i = 0; i < 4; i++) {
                assertThat(served(front, client)).startsWith(name + ", you are /" + client);
            }
        }
    }

    private static String python(String script, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(program("python3").toString(), "-c", script));
        command.addAll(List.of(arguments));
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(python.getInputStream().readAllBytes(), US_ASCII);
        assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    @Test
    void manifestFollowsTheSchema() throws Exception {
        String said =
                python(
                        """
                        import sys
                        try:
                            import json, yaml, jsonschema
                        except ImportError as e:
                            print('MISSING', e); sys.exit()
                        schema = json.load(open(sys.argv[1] + '/kubernetes.schema.json'))
                        for document in yaml.safe_load_all(open(sys.argv[1] + '/kubernetes.yaml')):
                            jsonschema.Draft202012Validator.check_schema(schema)
                            jsonschema.validate(document, schema)
                            print(document['kind'])
                        """,
                        FILES.toString());
        Assumptions.assumeFalse(said.startsWith("MISSING"), said);
        assertThat(said.lines()).containsExactly("Deployment", "Service", "PodDisruptionBudget");
    }

    /// As systemd starts it: with a listening descriptor 3 that the environment tells of.
    @Test
    void inheritedSocketIsServed() throws Exception {
        String launcher =
                """
                import os, socket, sys
                s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(64)
                if s.fileno() != 3:
                    os.dup2(s.fileno(), 3)
                os.set_inheritable(3, True)
                os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
                os.execv(sys.argv[1], sys.argv[1:])
                """;
        for (String transport : List.of("epoll", "auto")) {
            try (Scaled server =
                    Scaled.start(
                            List.of(program("python3").toString(), "-c", launcher),
                            "--loops",
                            "1",
                            "--transport",
                            transport)) {
                assertThat(served(server.port(), "127.0.0.1")).startsWith("hello from weft");
                server.terminate();
            }
        }
    }
}
