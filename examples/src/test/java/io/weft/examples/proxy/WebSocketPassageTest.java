package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WebSocketPassageTest {
    private static final Headers UPGRADE =
            Headers.of("connection", "upgrade").with("upgrade", "websocket");

    /// Nothing may come of the call behind it, if the client is gone.
    @Test
    void serverThatNoAnswerIsMadeOfIsGivenUp() throws IOException {
        Request request =
                Request.get("/chat")
                        .withHeaders(UPGRADE.with("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="));
        WebSocketPassage passage = new WebSocketPassage(request, Duration.ofHours(1));
        try (EmbeddedChannel server = new EmbeddedChannel()) {
            passage.open(server.channel(), Status.SWITCHING_PROTOCOLS, UPGRADE);
            server.advance(Duration.ofSeconds(9));
            assertThat(server.isClosed()).isFalse();
            server.advance(Duration.ofSeconds(1));
            assertThat(server.isReset()).isTrue();
        }
    }
}
