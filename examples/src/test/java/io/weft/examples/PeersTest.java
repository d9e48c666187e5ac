package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Real clients talk to hello-http.
@Tag("peers")
class PeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String run(String program, String... arguments) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        Assumptions.assumeTrue(
                there, program + " is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new java.util.ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String url(Served served) {
        return "http://127.0.0.1:" + served.address().getPort() + "/";
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void curlGetsTwoAnswersOverOneConnection(String transport) throws Exception {
        try (Served hello = Served.start(HelloHttp::start, transport)) {
            String url = url(hello);
            String output =
                    run(
                            "curl",
                            "-sS",
                            "--max-time",
                            "20",
                            "--noproxy",
                            "*",
                            "-w",
                            " %{http_code} %{content_type} new connections: %{num_connects}\n",
                            url,
                            url);
            assertThat(output)
                    .isEqualTo(
                            """
                            Hello, World! 200 text/plain; charset=utf-8 new connections: 1
                            Hello, World! 200 text/plain; charset=utf-8 new connections: 0
                            """);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void curlGetsAnAnswerToABodyItSends(String transport) throws Exception {
        try (Served hello = Served.start(HelloHttp::start, transport)) {
            String output =
                    run(
                            "curl",
                            "-sS",
                            "--max-time",
                            "20",
                            "--noproxy",
                            "*",
                            "-H",
                            "Transfer-Encoding: chunked",
                            "-d",
                            "x".repeat(10_000),
                            url(hello));
            assertThat(output).isEqualTo("Hello, World!");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void wrkSeesNeitherErrorsNorOtherAnswers(String transport) throws Exception {
        try (Served hello = Served.start(HelloHttp::start, transport)) {
            String output = run("wrk", "-t1", "-c16", "-d1s", url(hello));
            Matcher requests = Pattern.compile("(\\d+) requests in").matcher(output);
            assertThat(requests.find()).as(output).isTrue();
            assertThat(Long.parseLong(requests.group(1))).as(output).isPositive();
            assertThat(output).doesNotContain("Socket errors", "Non-2xx");
        }
    }
}
