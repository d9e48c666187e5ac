package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Handlers that fail because a body is too long: the request's is the client's fault, and that of
/// another message, such as an upstream's response, is not.
class TooLongBodyAnswerTest {
    private static final String POST =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabcdef";

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Throwable tooLong(Body body) {
        return body.collect(5).handle((_, failure) -> failure).toCompletableFuture().join();
    }

    private static String answer(AsyncHttpHandler handler, boolean streams) {
        try (EmbeddedChannel channel = Http1Channels.of(new Application.Async(handler, streams))) {
            channel.receive(POST);
            channel.runPending();
            return channel.takeOutboundText().substring(9, 12);
        }
    }

    @Test
    void bodyOfTheRequestIsAnsweredWith413() {
        for (boolean streams : new boolean[] {true, false}) {
            AsyncHttpHandler handler =
                    request -> {
                        IllegalStateException wrapped =
                                new IllegalStateException(tooLong(request.body()));
                        return CompletableFuture.<Response>failedFuture(wrapped);
                    };
            assertThat(answer(handler, streams)).isEqualTo("413");
        }
    }

    @Test
    @Warns
    void bodyOfAnotherMessageIsAnsweredWith500() {
        List<Body> others =
                List.of(Body.of("abcdef"), Body.of(new ByteArrayInputStream(new byte[6]), 6));
        for (Body other : others) {
            IllegalStateException wrapped = new IllegalStateException(tooLong(other));
            AsyncHttpHandler handler = _ -> CompletableFuture.failedFuture(wrapped);
            assertThat(answer(handler, true)).isEqualTo("500");
        }
    }
}
