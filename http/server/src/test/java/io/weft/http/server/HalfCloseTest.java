package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients that end their side of the connection while a handler has not answered. They wait for
/// the answer, or are gone.
class HalfCloseTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration TIME = HttpServerLimits.DEFAULT.halfCloseTimeout();

    private final List<CompletionStage<Response>> abandoned = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();

    private final AsyncHttpHandler waiting =
            new AsyncHttpHandler() {
                @Override
                public CompletionStage<Response> handle(Request request) {
                    answers.add(new CompletableFuture<>());
                    return answers.getLast();
                }

                @Override
                public void abandoned(CompletionStage<Response> answer) {
                    abandoned.add(answer);
                }
            };

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private EmbeddedChannel connection(HttpServerLimits limits) {
        return Http1Channels.of(new Application.Async(waiting, true), limits);
    }

    private void answer(EmbeddedChannel channel) {
        answers.getLast().complete(Response.text("hello"));
        channel.runPending();
    }

    @Test
    void handlerIsToldThatTheClientMayBeGone() {
        try (EmbeddedChannel channel = connection(HttpServerLimits.DEFAULT)) {
            channel.receive(GET);
            channel.advance(TIME.multipliedBy(10));
            channel.receiveEnd();
            channel.advance(TIME.minusSeconds(1));
            assertThat(abandoned).isEmpty();
            channel.advance(Duration.ofSeconds(3));
            assertThat(abandoned).containsExactly(answers.getFirst());
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 503 ");
            assertThat(channel.isClosed()).isTrue();
            answer(channel);
            assertThat(channel.takeOutboundText()).isEmpty();
        }
    }

    @Test
    void eachOfSeveralAnswersHasItsTime() {
        try (EmbeddedChannel channel = connection(HttpServerLimits.DEFAULT)) {
            channel.receive(GET.repeat(5)).receiveEnd();
            for (int i = 0; i < 5; i++) {
                channel.advance(TIME.minusSeconds(1));
                answer(channel);
                assertThat(channel.takeOutboundText()).endsWith("hello");
            }
            assertThat(abandoned).isEmpty();
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void bodyThatIsNotReadDoesNotKeepTheConnection() {
        String body = "x".repeat(70_000);
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n";
        try (EmbeddedChannel channel = connection(HttpServerLimits.DEFAULT)) {
            channel.receive(post + body).receiveEnd();
            channel.advance(TIME.plusSeconds(2));
            assertThat(abandoned).hasSize(1);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void longerTimesMayBeAllowed() {
        HttpServerLimits limits =
                HttpServerLimits.DEFAULT.withHalfCloseTimeout(Duration.ofHours(1));
        try (EmbeddedChannel channel = connection(limits)) {
            channel.receive(GET).receiveEnd();
            channel.advance(Duration.ofMinutes(59));
            answer(channel);
            assertThat(channel.takeOutboundText()).endsWith("hello");
            assertThat(abandoned).isEmpty();
        }
    }
}
