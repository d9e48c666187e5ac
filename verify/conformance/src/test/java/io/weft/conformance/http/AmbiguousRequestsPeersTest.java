package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.http.AmbiguousRequests.Message;
import io.weft.conformance.rig.Programs;
import io.weft.http.http1.Http1Limits;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.HttpServerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ambiguous requests to real servers and to Weft. `docs/http1-servers.md` has the answers.
@Tag("peers")
@Timeout(300)
class AmbiguousRequestsPeersTest {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})");

    /// Longer than a client may wait for the processor amid what it sends.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final HttpServerLimits IMPATIENT =
            new HttpServerLimits(
                    Http1Limits.DEFAULT,
                    Http2Limits.DEFAULT,
                    1 << 20,
                    1 << 30,
                    PATIENCE,
                    PATIENCE,
                    PATIENCE,
                    1024,
                    PATIENCE);

    @TempDir Path directory;
    private final Programs programs = new Programs(() -> this.directory);
    private final HttpOrigins origins = new HttpOrigins(programs);

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void end() throws Exception {
        programs.end();
    }

    /// The statuses of the final answers, in their order.
    private static String statuses(String answer) {
        List<String> statuses = new ArrayList<>();
        Matcher matcher = STATUS.matcher(answer);
        while (matcher.find()) {
            if (!matcher.group(1).startsWith("1")) {
                statuses.add(matcher.group(1));
            }
        }
        return statuses.isEmpty() ? "closed" : String.join(" ", statuses);
    }

    private static Map<Message, String> ask(SocketAddress address, int seconds) throws Exception {
        Map<Message, Future<String>> answers = new LinkedHashMap<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Message message : AmbiguousRequests.all()) {
                Callable<String> exchange =
                        () -> statuses(RawHttp.exchange(address, message.bytes(), seconds));
                answers.put(message, executor.submit(exchange));
            }
        }
        Map<Message, String> statuses = new LinkedHashMap<>();
        for (var answer : answers.entrySet()) {
            statuses.put(answer.getKey(), answer.getValue().get());
        }
        return statuses;
    }

    private static HttpServer weft() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .limits(IMPATIENT)
                .handler(request -> Response.text("[" + request.method() + "]"))
                .listen();
    }

    @Test
    void whatServersReadInDifferentWaysIsRefused() throws Exception {
        Map<String, Map<Message, String>> answers = new LinkedHashMap<>();
        answers.put("nginx", ask(origins.nginx(), 10));
        answers.put("HAProxy", ask(origins.haproxy(), 10));
        answers.put("Go", ask(origins.go(), 10));
        answers.put("Node", ask(origins.node(), 10));
        answers.put("aiohttp", ask(origins.aiohttp(), 10));
        Map<Message, String> ours;
        try (HttpServer server = weft()) {
            ours = ask(server.address(), 60);
        }
        List<String> rows = new ArrayList<>();
        for (Message message : AmbiguousRequests.all()) {
            List<String> cells = new ArrayList<>();
            answers.values().forEach(column -> cells.add(column.get(message)));
            cells.add(ours.get(message));
            rows.add("| " + message.name() + " | " + String.join(" | ", cells) + " |");
        }
        Files.write(Files.createDirectories(Path.of("target")).resolve("ambiguous.md"), rows);
        List<String> disagreed = new ArrayList<>();
        for (Message message : AmbiguousRequests.all()) {
            long readings =
                    answers.values().stream()
                            .map(column -> column.get(message))
                            .filter(statuses -> statuses.startsWith("200"))
                            .distinct()
                            .count();
            if (readings > 1 && ours.get(message).startsWith("200")) {
                disagreed.add(message.name());
            }
        }
        assertThat(disagreed).isEmpty();
        assertThat(ours.values()).containsExactlyElementsOf(committed());
    }

    /// Weft's answers, the last column.
    private static List<String> committed() throws IOException {
        return Files.readAllLines(Path.of("../../docs/http1-servers.md")).stream()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> line.substring(line.lastIndexOf('|', line.length() - 2) + 1))
                .map(cell -> cell.replace("|", "").strip())
                .toList();
    }
}
