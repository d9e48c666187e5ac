package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
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

    private static Process start(String program, String... arguments) throws IOException {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        Assumptions.assumeTrue(
                there, program + " is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /// Runs curl without a configuration or proxy of the user's, and returns what it says.
    private static String curl(String... arguments) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("-q", "-sS", "--max-time", "300", "--noproxy", "*"));
        all.addAll(List.of(arguments));
        Process process = start("curl", all.toArray(String[]::new));
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
                    curl(
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
                    curl("-H", "Transfer-Encoding: chunked", "-d", "x".repeat(10_000), url(hello));
            assertThat(output).isEqualTo("Hello, World!");
        }
    }

    /// Says `enough` when so many answers have come: by number, since how many come in a time is
    /// the machine's affair.
    private static final String UNTIL_ENOUGH =
            """
            local answers = 0
            function response()
                answers = answers + 1
                if answers == 1000 then
                    io.write("enough\\n")
                    io.flush()
                end
            end
            """;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void wrkSeesNeitherErrorsNorOtherAnswers(String transport, @TempDir Path directory)
            throws Exception {
        Path script = Files.writeString(directory.resolve("enough.lua"), UNTIL_ENOUGH);
        try (Served hello = Served.start(HelloHttp::start, transport)) {
            Process wrk =
                    start(
                            "wrk",
                            "-t1",
                            "-c16",
                            "-d600s",
                            "--timeout",
                            "60s",
                            "-s",
                            script.toString(),
                            url(hello));
            List<String> output = new ArrayList<>();
            try (BufferedReader said = wrk.inputReader(StandardCharsets.UTF_8)) {
                for (String line; (line = said.readLine()) != null; output.add(line)) {
                    if (line.equals("enough")) {
                        interrupt(wrk);
                    }
                }
            } finally {
                wrk.destroyForcibly();
            }
            assertThat(wrk.waitFor()).as("%s", output).isZero();
            assertThat(output)
                    .contains("enough")
                    .anyMatch(line -> line.contains(" requests in "))
                    .noneMatch(line -> line.contains("Socket errors") || line.contains("Non-2xx"));
        }
    }

    /// SIGINT: then it says what it saw.
    private static void interrupt(Process process) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start();
        assertThat(kill.waitFor()).isZero();
    }
}
