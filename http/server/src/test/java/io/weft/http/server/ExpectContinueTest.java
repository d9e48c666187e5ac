package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients that wait to be asked for a body of which the answer is made.
class ExpectContinueTest {
    private static final String GET = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static EmbeddedChannel echo(Status status) {
        return Http1Channels.of(
                new Application.Async(
                        request ->
                                CompletableFuture.completedFuture(
                                        Response.of(status, Headers.EMPTY, request.body())),
                        true));
    }

    /// RFC 9110, 10.1.1: behind the final head there is no place to ask.
    @Test
    void aBodyIsAskedForBeforeTheAnswerThatIsMadeOfIt() {
        try (EmbeddedChannel channel = echo(Status.OK)) {
            channel.receive(POST);
            channel.runPending();
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ")
                    .doesNotContain("connection: close");
            channel.advance(Duration.ofSeconds(5));
            channel.receive("abc" + GET);
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith("abcHTTP/1.1 200 ");
        }
    }

    @Test
    void aBodyThatAnAnswerIsMadeOfHasItsTime() {
        for (Status status : List.of(Status.OK, Status.FORBIDDEN)) {
            try (EmbeddedChannel channel = echo(status)) {
                channel.receive(POST);
                channel.runPending();
                assertThat(channel.isClosed()).isFalse();
                channel.advance(Duration.ofSeconds(12));
                assertThat(channel.isClosed()).isTrue();
            }
        }
    }
}
