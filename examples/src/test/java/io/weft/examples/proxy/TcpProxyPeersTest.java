package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Extras;
import io.weft.examples.Served;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// curl through one tcp-proxy, and through another that tells the next by the PROXY protocol.
@Tag("peers")
@Timeout(300)
class TcpProxyPeersTest {
    private static final int LARGE = 4 << 20;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static Served proxy(int to, String... more) {
        List<String> args = new ArrayList<>(List.of("--to", "127.0.0.1:" + to));
        args.addAll(List.of(more));
        Extras extras =
                Extras.take(
                        args.toArray(String[]::new), "", "--to", "--send-proxy", "--accept-proxy");
        return Served.start(options -> TcpProxy.start(options, extras), "nio");
    }

    private static String curl(String... arguments) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "curl")));
        Assumptions.assumeTrue(there, "curl is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of("curl", "-q", "-sS", "--max-time", "60"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    @ParameterizedTest
    @CsvSource({"--http1.1, 1", "--http1.1, 2", "--http2-prior-knowledge, 1"})
    void curlGetsLargeAnswersThroughTheProxy(String version, int proxies) throws Exception {
        String text = "x".repeat(LARGE);
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport("nio")
                                .loops(1)
                                .handler(_ -> Response.text(text))
                                .listen();
                Served last =
                        proxies == 1
                                ? proxy(server.address().getPort())
                                : proxy(
                                        server.address().getPort(),
                                        "--accept-proxy",
                                        "127.0.0.0/8");
                Served first =
                        proxies == 1
                                ? last
                                : proxy(last.address().getPort(), "--send-proxy", "v2")) {
            String url = "http://127.0.0.1:" + first.address().getPort() + "/";
            assertThat(curl(version, url)).isEqualTo(text);
        }
    }
}
