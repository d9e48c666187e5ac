package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.eventloop.EventLoop;
import io.weft.http.websocket.BlockingWebSocket.Handler;
import io.weft.loop.Promise;
import io.weft.testkit.Warns;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
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

    private <T> T elsewhere(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task).join();
        return task.get();
    }

    /// Leaves the loop no room for another task.
    private void fillQueue() {
        EventLoop loop = peer.channel.channel().eventLoop();
        try {
            while (true) {
                loop.execute(() -> {});
            }
        } catch (RejectedExecutionException e) {
            // full
        }
    }

    private void sendUntilPaused() {
        String large = "x".repeat(40_000);
        peer.send(WebSocketFrame.text(large)).send(WebSocketFrame.text(large));
    }

    @Test
    void fullTaskQueueLosesNoMessageAndNoResume() throws Exception {
        try (peer) {
            BlockingWebSocket socket = new BlockingWebSocket(peer.handler.socket(), inbox);
            sendUntilPaused();
            assertThat(elsewhere(socket::receive)).isNotNull();
            fillQueue();
            assertThat(elsewhere(socket::receive)).isNotNull();
            peer.channel.runPending();
            peer.send(WebSocketFrame.text("next"));
            assertThat(elsewhere(socket::receive)).isEqualTo(new BlockingWebSocket.Text("next"));
        }
    }

    @Test
    void fullTaskQueueDoesNotKeepFromClosing() throws Exception {
        try (peer) {
            BlockingWebSocket socket = new BlockingWebSocket(peer.handler.socket(), inbox);
            sendUntilPaused();
            fillQueue();
            elsewhere(
                    () -> {
                        socket.close();
                        return socket;
                    });
            peer.channel.runPending();
            assertThat(peer.received()).containsExactly("close 1000");
            peer.sendClose(CloseStatus.NORMAL);
            assertThat(socket.closeStatus()).isEqualTo(CloseStatus.NORMAL);
        }
    }

    @Test
    void receivesAndClosesWhenTheLoopHasEnded() throws Exception {
        BlockingWebSocket socket = new BlockingWebSocket(peer.handler.socket(), inbox);
        sendUntilPaused();
        var _ = peer.channel.channel().eventLoop().shutdownGracefully(Duration.ZERO, Duration.ZERO);
        peer.channel.runPending();
        for (int i = 0; i < 2; i++) {
            assertThat(elsewhere(socket::receive)).isNotNull();
        }
        elsewhere(
                () -> {
                    socket.close();
                    return socket;
                });
    }
}
