package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.HelloHttp;
import io.weft.examples.Served;
import io.weft.handler.proxy.ProxyChain;
import io.weft.handler.proxy.ProxyException;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.model.Body;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of HTTP through socks-proxy: ours, and curl.
@Timeout(300)
class SocksPeersTest {
    private static final String TRANSPORT = "nio";

    private static Served proxy(String... args) {
        Extras extras = Extras.take(args, "", "--allow", "--user", "--deny-to");
        return Served.start(options -> SocksProxy.start(options, extras), TRANSPORT);
    }

    private static String url(Served hello) {
        return "http://localhost:" + hello.address().getPort() + "/";
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks4", "socks4a", "socks5", "socks5h"})
    void httpClientGoesThroughTheProxy(String scheme) throws Exception {
        try (Served hello = Served.start(HelloHttp::start, TRANSPORT);
                Served proxy = proxy();
                HttpClient client =
                        HttpClient.builder()
                                .transport(TRANSPORT)
                                .tunnel(
                                        ProxyChain.of(
                                                scheme
                                                        + "://127.0.0.1:"
                                                        + proxy.address().getPort()))
                                .build()) {
            Body body = client.get("http://127.0.0.1:" + hello.address().getPort()).body();
            assertThat(body.asString(StandardCharsets.US_ASCII)).contains("Hello");
        }
    }

    @Test
    void httpClientTellsWhyTheProxyRefuses() {
        try (Served hello = Served.start(HelloHttp::start, TRANSPORT);
                Served proxy = proxy("--deny-to", "127.0.0.0/8");
                HttpClient client =
                        HttpClient.builder()
                                .transport(TRANSPORT)
                                .tunnel(
                                        ProxyChain.of(
                                                "socks5://127.0.0.1:" + proxy.address().getPort()))
                                .build()) {
            String url = "http://127.0.0.1:" + hello.address().getPort();
            assertThatThrownBy(() -> client.get(url))
                    .isInstanceOf(HttpClientException.ConnectFailed.class)
                    .hasCauseInstanceOf(ProxyException.Refused.class)
                    .hasMessageContaining("not allowed by ruleset");
        }
    }

    @Tag("peers")
    @ParameterizedTest
    @ValueSource(strings = {"socks4", "socks4a", "socks5", "socks5h"})
    void curlGoesThroughTheProxy(String scheme) throws Exception {
        try (Served hello = Served.start(HelloHttp::start, TRANSPORT);
                Served proxy = proxy()) {
            String at = scheme + "://127.0.0.1:" + proxy.address().getPort();
            // The example listens on 127.0.0.1 alone.
            assertThat(curl("--ipv4", "-x", at, url(hello))).contains("Hello");
        }
    }

    @Tag("peers")
    @Test
    void curlHasALogin() throws Exception {
        try (Served hello = Served.start(HelloHttp::start, TRANSPORT);
                Served proxy = proxy("--user", "me:secret")) {
            String at = "127.0.0.1:" + proxy.address().getPort();
            assertThat(curl("-x", "socks5h://me:secret@" + at, url(hello))).contains("Hello");
            assertThat(curl("-x", "socks5h://me:wrong@" + at, url(hello))).contains("curl: (97)");
            assertThat(curl("-x", "socks5h://" + at, url(hello))).contains("curl: (97)");
        }
    }

    private static String curl(String... arguments) throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "curl")));
        Assumptions.assumeTrue(there, "curl is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of("curl", "-q", "-sS", "--max-time", "50"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
