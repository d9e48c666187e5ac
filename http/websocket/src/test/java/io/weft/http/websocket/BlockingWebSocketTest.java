package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.Role;
import io.weft.http.websocket.BlockingWebSocket.Handler;
import io.weft.testkit.Warns;
import org.junit.jupiter.api.Test;

/// Handlers that run on the test's thread, which is the loop's.
class BlockingWebSocketTest {
    private final MessageInbox inbox = new MessageInbox();
    private final Peer peer = new Peer(Role.SERVER, WebSocketSettings.DEFAULT, inbox);

    private void assertCloses(int code, Handler handler) {
        try (peer) {
            WebSocket socket = inbox.socket();
            assertThat(socket).isNotNull();
            BlockingWebSocket.run(new BlockingWebSocket(socket, inbox), handler);
            assertThat(peer.received()).containsExactly("close " + code);
        }
    }

    @Test
    void handlerThatReturnsCloses() {
        assertCloses(1000, _ -> {});
    }

    @Test
    @Warns
    void errorOfTheHandlerClosesWith1011() {
        assertCloses(
                1011,
                _ -> {
                    throw new AssertionError("intended");
                });
    }
}
