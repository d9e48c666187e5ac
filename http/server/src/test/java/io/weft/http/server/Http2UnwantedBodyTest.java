package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Bodies of requests over HTTP/2 that come in and that no handler wants.
class Http2UnwantedBodyTest {
    private static final int WINDOW = Http2Limits.DEFAULT.streamWindow();

    private final List<Request> requests = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Http2Client streaming() {
        return new Http2Client(
                new Application.Async(
                        request -> {
                            requests.add(request);
                            answers.add(new CompletableFuture<>());
                            return answers.getLast();
                        },
                        true));
    }

    /// Sends as much of an endless body as the server takes, 8 MiB at most.
    private static void upload(Http2Client client, Http2Stream stream) {
        while (stream.room() > 0 && stream.sent() < 8 << 20) {
            Http2Client.data(stream, "x".repeat(stream.room()), false);
            client.run();
        }
    }

    @Test
    void bodyThatItsHandlerClosedIsDroppedUpToABound() {
        try (Http2Client client = streaming()) {
            Http2Stream stream = client.post("/", Headers.EMPTY);
            client.run();
            ((Body.Stream) requests.getFirst().body()).source().close();
            upload(client, stream);
            assertThat(stream.sent())
                    .isBetween((long) Http1Body.MAX_DRAINED, Http1Body.MAX_DRAINED + 2L * WINDOW);

            // Its window is closed, and not the connection's: others go on.
            Http2Stream other = client.post("/other", Headers.EMPTY);
            upload(client, other);
            assertThat(other.sent()).isEqualTo(WINDOW);

            answers.getFirst().complete(Response.text("enough"));
            client.channel.advance(Duration.ofSeconds(2));
            client.run();
            assertThat(client.log).containsExactly("1 200", "1 enough end", "1 reset NO_ERROR");
        }
    }

    @Test
    void bodyBehindAnAnswerThatWaitsForTheClientIsNotKept() {
        try (Http2Client client = streaming()) {
            client.consumes = false;
            Http2Stream stream = client.post("/", Headers.EMPTY);
            client.run();
            answers.getFirst()
                    .complete(Response.of(Status.OK, Headers.EMPTY, Body.of(new byte[200_000])));
            client.run();
            Http2Client.data(stream, "x".repeat(1000), false);
            client.run();
            client.consumes = true;
            stream.consumed((int) client.received);
            client.run();
            Http2Client.data(stream, "", true);
            client.run();
            assertThat(client.log).last().asString().endsWith("end");
        }
    }

    /// @param rest sends what makes the server refuse
    private static void assertRefused(int status, BiConsumer<Http2Client, Http2Stream> rest) {
        Application unasked = new Application.Async(_ -> new CompletableFuture<>());
        HttpServerLimits limits = HttpServerLimits.DEFAULT.withBody(8);
        try (Http2Client client = new Http2Client(unasked, limits, Http2Limits.DEFAULT)) {
            Http2Stream stream = client.post("/", Headers.EMPTY);
            Http2Client.data(stream, "12345", false);
            client.run();
            rest.accept(client, stream);
            client.channel.advance(Duration.ofSeconds(2));
            client.run();
            assertThat(client.log).containsExactly("1 " + status + " end", "1 reset NO_ERROR");
        }
    }

    @Test
    void tooLongBodyReleasesWhatWasCollected() {
        assertRefused(
                413,
                (client, stream) -> {
                    Http2Client.data(stream, "6789", false);
                    client.run();
                });
    }

    @Test
    void tooSlowBodyReleasesWhatWasCollected() {
        assertRefused(
                408,
                (client, _) -> {
                    client.channel.advance(Duration.ofMinutes(1));
                    client.run();
                });
    }
}
