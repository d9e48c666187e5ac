package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each request that filters have seen ends once, whatever becomes of its body.
class FinishedExchangesTest {
    private static final HttpServerLimits LIMITS = HttpServerLimits.DEFAULT.withBody(8);
    private static final String HEAD = "POST /in HTTP/1.1\r\nHost: x\r\n";

    private final List<String> log = new ArrayList<>();

    private final Application application =
            new Application.Filtered(
                    new Application.Direct(_ -> Response.text("done")), List.of(new Logging()));

    private final class Logging implements HttpFilter {
        @Override
        public @Nullable Response before(Request request) {
            log.add("before " + request.target());
            return null;
        }

        @Override
        public void finished(FinishedExchange exchange) {
            Response response = exchange.response();
            log.add(
                    (response == null ? "no answer" : response.status().code())
                            + (exchange.whole() ? "" : ", cut off"));
        }
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private EmbeddedChannel connection() {
        return Http1Channels.of(application, LIMITS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 2\\n\\nab | 200",
                "Content-Length: 9\\n\\n | 413",
                "Transfer-Encoding: chunked\\n\\n9\\n123456789\\n0\\n\\n | 413",
                "Transfer-Encoding: chunked\\n\\n1\\nab | 400",
                "Content-Length: 2\\n\\na | no answer, cut off"
            })
    void requestOverHttp1EndsOnce(String rest, String end) {
        try (EmbeddedChannel channel = connection()) {
            channel.receive(HEAD + rest.replace("\\n", "\r\n"));
            channel.runPending();
            assertThat(new String(channel.takeOutbound(), US_ASCII))
                    .startsWith(end.startsWith("no") ? "" : "HTTP/1.1 " + end);
        }
        assertThat(log).containsExactly("before /in", end);
    }

    @Test
    @Warns
    void bodyThatIsNotSentDoesNotCount() {
        Response unsendable = Response.of(Status.SWITCHING_PROTOCOLS).withBody(Body.of("four"));
        Response without = Response.of(Status.NOT_MODIFIED, Headers.EMPTY, Body.of("four"));
        for (Response answer : List.of(Response.text("four"), unsendable, without)) {
            List<Long> bytes = new ArrayList<>();
            HttpFilter counting =
                    new HttpFilter() {
                        @Override
                        public void finished(FinishedExchange exchange) {
                            bytes.add(exchange.bodyBytes());
                        }
                    };
            Application counted =
                    new Application.Filtered(
                            new Application.Direct(_ -> answer), List.of(counting));
            try (EmbeddedChannel channel = Http1Channels.of(counted, LIMITS)) {
                channel.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                channel.runPending();
                boolean sent = channel.takeOutboundText().endsWith("four");
                assertThat(bytes).containsExactly(sent ? 4L : 0L);
            }
        }
    }

    @Test
    void requestWhoseBodyIsLateEndsOnce() {
        try (EmbeddedChannel channel = connection()) {
            channel.receive(HEAD + "Content-Length: 2\r\n\r\n");
            channel.runPending();
            channel.advance(Duration.ofMinutes(5));
            assertThat(new String(channel.takeOutbound(), US_ASCII)).startsWith("HTTP/1.1 408 ");
        }
        assertThat(log).containsExactly("before /in", "408");
    }

    @Test
    void requestsOfOneConnectionEndOnceEach() {
        try (EmbeddedChannel channel = connection()) {
            channel.receive(
                    HEAD + "Content-Length: 1\r\n\r\na" + HEAD + "Content-Length: 9\r\n\r\n");
            channel.runPending();
            assertThat(channel.takeOutbound()).isNotEmpty();
        }
        assertThat(log).containsExactly("before /in", "200", "before /in", "413");
    }

    @Test
    void requestOverHttp2EndsOnce() {
        try (Http2Client client = new Http2Client(application, LIMITS, Http2Limits.DEFAULT)) {
            Http2Stream whole = client.post("/1", Headers.EMPTY);
            Http2Client.data(whole, "ab", true);
            client.run();
            assertThat(log).containsExactly("before /1", "200");
            log.clear();

            Http2Stream reset = client.post("/2", Headers.EMPTY);
            Http2Client.data(reset, "ab", false);
            client.run();
            reset.reset(ErrorCode.CANCEL);
            client.run();
            assertThat(log).containsExactly("before /2", "no answer, cut off");
            log.clear();

            Http2Stream tooLong = client.post("/3", Headers.EMPTY);
            Http2Client.data(tooLong, "123456789", true);
            client.run();
            assertThat(log).containsExactly("before /3", "413");
            log.clear();

            client.post("/4", Headers.EMPTY);
            client.run();
        }
        assertThat(log).containsExactly("before /4", "no answer, cut off");
    }
}
