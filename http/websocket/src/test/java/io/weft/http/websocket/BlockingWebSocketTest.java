package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.Role;
import io.weft.http.websocket.BlockingWebSocket.Handler;
import io.weft.loop.Promise;
import io.weft.testkit.Warns;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Handlers that run on the test's thread, which is the loop's.
class BlockingWebSocketTest {
    private final MessageInbox inbox = new MessageInbox();
    private final Peer peer = new Peer(Role.SERVER, WebSocketSettings.DEFAULT, inbox);

    private void assertCloses(int code, Handler handler) {
        try (peer) {
            BlockingWebSocket.run(new BlockingWebSocket(peer.handler.socket(), inbox), handler);
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

    @Test
    @Warns
    void ioExceptionOfAnotherThingClosesWith1011() {
        assertCloses(
                1011,
                _ -> {
                    throw new NoSuchFileException("intended");
                });
    }

    @Test
    void exceptionOfAConnectionThatIsClosingChangesNothing() {
        assertCloses(
                1000,
                socket -> {
                    socket.close();
                    socket.send("late");
                });
    }

    @Test
    void connectionThatOpensAfterAnInterruptIsAborted() throws Exception {
        try (peer) {
            Promise<WebSocket> connecting = peer.channel.channel().newPromise();
            assertThat(connecting.setUncancellable()).isTrue(); // as when the server has answered
            FutureTask<WebSocket> interrupted =
                    new FutureTask<>(
                            () -> {
                                Thread.currentThread().interrupt();
                                return BlockingWebSocket.await(connecting);
                            });
            Thread.ofVirtual().start(interrupted).join();
            assertThat(interrupted.exceptionNow()).isInstanceOf(InterruptedException.class);
            connecting.trySuccess(peer.handler.socket());
            peer.channel.runPending();
            assertThat(peer.channel.isReset()).isTrue();
        }
    }
}
