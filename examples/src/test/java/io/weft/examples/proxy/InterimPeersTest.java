package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// 103 (Early Hints) of Node, through [ReverseProxy], to curl.
@Tag("peers")
@Timeout(300)
class InterimPeersTest {
    private static final String HTTP_1 =
            """
            const s = require('http').createServer((request, response) => {
              response.writeEarlyHints({link: '</a.css>; rel=preload'}, () => response.end('ok'))
            })
            s.listen(0, '127.0.0.1', () => console.log(s.address().port))
            """;
    private static final String HTTP_2 =
            """
            const s = require('http2').createServer((request, response) => {
              response.writeEarlyHints({link: '</a.css>; rel=preload'})
              response.end('ok')
            })
            s.listen(0, '127.0.0.1', () => console.log(s.address().port))
            """;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static Process start(String... command) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, command[0])));
        Assumptions.assumeTrue(
                there, command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        return builder.start();
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, --http1.1",
        "1.1, --http2-prior-knowledge",
        "2, --http1.1",
        "2, --http2-prior-knowledge"
    })
    void hintsOfNodeReachCurl(String upstream, String version) throws Exception {
        Process node = start("node", "-e", upstream.equals("2") ? HTTP_2 : HTTP_1);
        try (BufferedReader port =
                new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8))) {
            String to = "127.0.0.1:" + port.readLine();
            try (Served proxy = PlayedServer.proxy("--to", to, "--upstream-http", upstream)) {
                String url = "http://127.0.0.1:" + proxy.address().getPort() + "/";
                Process curl = start("curl", "-q", "-sS", "-i", "--max-time", "60", version, url);
                String answer = new String(curl.getInputStream().readAllBytes(), UTF_8);
                assertThat(curl.waitFor(100, TimeUnit.SECONDS)).isTrue();
                assertThat(answer)
                        .containsSubsequence(
                                " 103", "link: </a.css>; rel=preload", "via: ", " 200", "ok");
            }
        } finally {
            node.destroyForcibly();
        }
    }
}
