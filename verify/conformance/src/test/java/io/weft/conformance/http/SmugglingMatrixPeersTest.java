package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.http.AmbiguousRequests.Message;
import io.weft.conformance.rig.ClassPath;
import io.weft.conformance.rig.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Ambiguous requests through the example `reverse-proxy` to real servers. The proxy marks each
/// request that it passes on with Via; one without was smuggled. `docs/smuggling.md` has the
/// answers.
@Tag("peers")
@Timeout(300)
class SmugglingMatrixPeersTest {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([2-5][0-9]{2})");
    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+) .*");
    private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    /// Fields and bodies in front of a hidden request, as in `ReverseProxyTest`.
    private static final String[] FRAMINGS = {
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n",
        "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
        "Content-Length: 0, 40\r\n\r\n",
        "Content-Length: +0\r\n\r\n",
        "Content-Length: 0x0\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length : 0\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\n\n",
        "Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\nZZ\r\n0\r\n\r\n",
    };

    @TempDir Path directory;
    private final Programs programs = new Programs(() -> this.directory);
    private final MarkedOrigins origins = new MarkedOrigins(programs);
    private Process proxy;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void end() throws Exception {
        programs.end();
        if (proxy != null) {
            proxy.destroyForcibly().waitFor();
        }
    }

    private static List<Message> messages() {
        List<Message> all = new ArrayList<>(AmbiguousRequests.all());
        for (int i = 0; i < FRAMINGS.length; i++) {
            all.add(
                    new Message(
                            "framing " + (i + 1),
                            "POST / HTTP/1.1\r\nHost: x\r\n" + FRAMINGS[i] + HIDDEN));
        }
        return all;
    }

    /// The example, as a process of its own.
    private InetSocketAddress proxy(InetSocketAddress origin) throws IOException {
        proxy =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-Xmx128m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                ClassPath.asGiven(),
                                "io.weft.examples.proxy.ReverseProxy",
                                "--port",
                                "0",
                                "--transport",
                                "nio",
                                "--to",
                                "127.0.0.1:" + origin.getPort())
                        .redirectErrorStream(true)
                        .start();
        BufferedReader out = proxy.inputReader(StandardCharsets.UTF_8);
        for (String line; (line = out.readLine()) != null; ) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.matches()) {
                Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
                return new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(listening.group(1)));
            }
        }
        throw new AssertionError("the proxy has ended");
    }

    private static String statuses(String answer) {
        List<String> statuses = new ArrayList<>();
        Matcher matcher = STATUS.matcher(answer);
        while (matcher.find()) {
            statuses.add(matcher.group(1));
        }
        return statuses.isEmpty() ? "closed" : String.join(" ", statuses);
    }

    @ParameterizedTest
    @EnumSource
    void noRequestIsSeenAsTwo(MarkedOrigins.Kind origin) throws Exception {
        InetSocketAddress address = proxy(origins.start(origin));
        Map<Message, Future<String>> answers = new LinkedHashMap<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(16)) {
            for (Message message : messages()) {
                answers.put(
                        message,
                        executor.submit(
                                () -> statuses(RawHttp.exchange(address, message.bytes(), 5))));
            }
        }
        List<String> rows = new ArrayList<>();
        for (var answer : answers.entrySet()) {
            rows.add("| " + answer.getKey().name() + " | " + answer.getValue().get() + " |");
        }
        Path table = Files.createDirectories(Path.of("target")).resolve("smuggling-" + origin);
        Files.write(table, rows);
        // The server is well, and so is each connection that the proxy keeps.
        for (int i = 0; i < 8; i++) {
            String last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            assertThat(RawHttp.exchange(address, last, 60)).startsWith("HTTP/1.1 200");
        }
        List<String> seen = Files.readAllLines(origins.seen());
        assertThat(seen).anyMatch(line -> line.startsWith("GET /last "));
        assertThat(seen).as("requests that the proxy has not made").allMatch(this::isMarked);
        assertThat(committed()).containsAll(answers.keySet().stream().map(Message::name).toList());
    }

    private boolean isMarked(String line) {
        return line.contains(" 1.1 weft-") || line.contains(" 1.0 weft-");
    }

    /// Names of messages in the table.
    private static List<String> committed() throws IOException {
        return Files.readAllLines(Path.of("../../docs/smuggling.md")).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(2, line.indexOf(" |", 2)))
                .toList();
    }
}
