package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.testkit.Ports;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The HTTP server behind HAProxy, nginx and curl, which tell the client's address.
@Tag("peers")
@Timeout(300)
class ProxyProtocolPeersTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir Path directory;

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : processes) {
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                var _ = process.destroyForcibly();
            }
        }
    }

    private static HttpServer server() {
        return HttpServer.builder()
                .host(LOOPBACK)
                .loops(1)
                .proxyProtocol("127.0.0.0/8")
                .handler(
                        request ->
                                Response.text(
                                        "you are "
                                                + Objects.requireNonNull(request.peer()).address()))
                .listen();
    }

    private static String program(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(d -> Path.of(d, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseGet(
                        () ->
                                Assumptions.abort(
                                        name
                                                + " is not there (dev/install-peers.sh installs"
                                                + " it)"));
    }

    private Path log() {
        return directory.resolve("log");
    }

    private Process start(String... command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log().toFile())
                        .start();
        processes.add(process);
        return process;
    }

    private void serve(int port, String... command) throws Exception {
        Process process = start(command);
        for (int i = 0; i < 600; i++) {
            try (Socket _ = new Socket(LOOPBACK, port)) {
                return;
            } catch (IOException e) {
                if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
        }
        Assumptions.abort(command[0] + " does not serve: " + Files.readString(log()));
    }

    /// Asks from 127.0.0.2, which is no proxy's address here.
    private static String ask(int port) throws IOException {
        try (Socket socket = new Socket(LOOPBACK, port, InetAddress.ofLiteral("127.0.0.2"), 0)) {
            socket.setSoTimeout(60_000);
            String own = socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return answer.replace(own, "[the client]");
        }
    }

    private void behindHaproxy(String sending) throws Exception {
        try (HttpServer server = server()) {
            int port = Ports.free();
            Path config =
                    Files.writeString(
                            directory.resolve("haproxy.cfg"),
                            """
                            defaults
                              mode tcp
                              timeout connect 10s
                              timeout client 30s
                              timeout server 30s
                            listen front
                              bind 127.0.0.1:%d
                              server a 127.0.0.1:%d %s
                            """
                                    .formatted(port, server.address().getPort(), sending));
            serve(port, program("haproxy"), "-db", "-f", config.toString());
            assertThat(ask(port)).as(sending).contains("you are /[the client]");
        }
    }

    @Test
    void haproxyWithVersion1() throws Exception {
        behindHaproxy("send-proxy");
    }

    /// Health checks come with LOCAL.
    @Test
    void haproxyWithVersion2() throws Exception {
        behindHaproxy("send-proxy-v2 check inter 100ms");
    }

    @Test
    void haproxyWithChecksumAndId() throws Exception {
        behindHaproxy("send-proxy-v2 proxy-v2-options crc32c,unique-id,authority,ssl,cert-cn");
    }

    @Test
    void nginx() throws Exception {
        String program = program("nginx");
        try (HttpServer server = server()) {
            int port = Ports.free();
            Path config =
                    Files.writeString(
                            directory.resolve("nginx.conf"),
                            """
                            daemon off;
                            pid %s/pid;
                            error_log stderr;
                            include /etc/nginx/modules-enabled/*.conf;
                            events {}
                            stream {
                              server {
                                listen 127.0.0.1:%d;
                                proxy_pass 127.0.0.1:%d;
                                proxy_protocol on;
                              }
                            }
                            """
                                    .formatted(directory, port, server.address().getPort()));
            serve(port, program, "-c", config.toString());
            assertThat(ask(port)).contains("you are /[the client]");
        }
    }

    @Test
    void curl() throws Exception {
        try (HttpServer server = server()) {
            Process curl =
                    start(
                            program("curl"),
                            "-s",
                            "--max-time",
                            "50",
                            "--haproxy-protocol",
                            "http://127.0.0.1:" + server.address().getPort() + "/");
            assertThat(curl.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(log())).startsWith("you are /127.0.0.1:");
        }
    }
}
