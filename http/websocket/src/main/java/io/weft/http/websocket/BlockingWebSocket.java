package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.loop.Future;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A WebSocket connection for straight-line code: messages are received and sent by calls that
/// wait. Made for virtual threads; pings and closes are answered on the connection's loop.
///
/// ```java
/// try (BlockingWebSocket socket = BlockingWebSocket.connect(client, uri)) {
///     socket.send("hello");
///     if (socket.receive() instanceof BlockingWebSocket.Text(String text)) {
///         System.out.println(text);
///     }
/// }
/// ```
///
/// **Back-pressure.** A peer that takes nothing makes the sender wait. Beyond 64 KiB of messages
/// that nobody receives, or 1,024 of them, the peer is not read.
///
/// **Threads.** Any but a loop's; one may receive while others send.
public final class BlockingWebSocket implements AutoCloseable {
    /// A message.
    public sealed interface Message {}

    /// A message of text.
    public record Text(String text) implements Message {}

    /// A message of bytes.
    ///
    /// @param data the receiver's
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Binary(byte[] data) implements Message {}

    /// The code that serves a connection of a server.
    public interface Handler {
        /// Called on a virtual thread of its own; when it returns, the connection is closed.
        void handle(BlockingWebSocket socket) throws Exception;
    }

    private static final System.Logger LOGGER = System.getLogger("io.weft.http.websocket");

    private final WebSocket socket;
    private final MessageInbox inbox;
    private volatile Duration timeout = Duration.ofMinutes(1);

    BlockingWebSocket(WebSocket socket, MessageInbox inbox) {
        this.socket = socket;
        this.inbox = inbox;
    }

    /// Connects, does the handshake, and waits for both.
    ///
    /// @throws IOException as the future of [WebSocketClient#connect] fails
    /// @throws InterruptedException when this thread is interrupted; the attempt is given up then
    public static BlockingWebSocket connect(WebSocketClient client, URI uri)
            throws IOException, InterruptedException {
        MessageInbox inbox = new MessageInbox();
        return new BlockingWebSocket(await(client.connect(uri, inbox)), inbox);
    }

    /// Waits for the outcome of a connect. If the thread is interrupted, no connection stays.
    static WebSocket await(Future<WebSocket> connecting) throws IOException, InterruptedException {
        try {
            return connecting.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof IOException io ? io : new IOException(cause);
        } catch (InterruptedException e) {
            connecting.cancel();
            connecting.addListener(BlockingWebSocket::abort); // it may be too late to cancel
            throw e;
        }
    }

    private static void abort(Future<WebSocket> connected) {
        WebSocket late = connected.now();
        if (late != null) {
            late.abort();
        }
    }

    /// Answers `request` as [WebSocketUpgrade#answer(Request, WebSocketSettings,
    /// WebSocketListener)] does, and serves the connection on a virtual thread. What `handler`
    /// throws is logged and closes with 1011.
    ///
    /// @throws IllegalArgumentException for settings with pieces
    public static Response answer(Request request, WebSocketSettings settings, Handler handler) {
        if (settings.pieces()) {
            throw new IllegalArgumentException("pieces: true (expected: false, whole messages)");
        }
        return WebSocketUpgrade.answer(
                request,
                settings,
                new MessageInbox() {
                    @Override
                    public void onOpen(WebSocket opened) {
                        super.onOpen(opened);
                        Thread.ofVirtual()
                                .name("weft-websocket")
                                .start(() -> run(new BlockingWebSocket(opened, this), handler));
                    }
                });
    }

    static void run(BlockingWebSocket socket, Handler handler) {
        CloseStatus status = CloseStatus.NORMAL;
        try {
            handler.handle(socket);
        } catch (Throwable t) { // an Error, too, is no orderly end
            if (t instanceof IOException && !socket.socket().isOpen()) {
                LOGGER.log(System.Logger.Level.DEBUG, "a connection of a handler ended", t);
            } else {
                LOGGER.log(
                        System.Logger.Level.WARNING, "a handler failed; its connection closes", t);
            }
            status = CloseStatus.INTERNAL_ERROR;
        } finally {
            socket.close(status);
        }
    }

    /// Waits for the next message, as long as it takes.
    ///
    /// @return null when the connection is closed: see [#closeStatus]
    /// @throws InterruptedException when this thread is interrupted; nothing is lost
    public @Nullable Message receive() throws InterruptedException {
        return inbox.take();
    }

    /// Sends a text, once the peer has taken enough of what was sent before.
    ///
    /// @throws SocketTimeoutException when it took nothing for as long as the [timeout][#timeout]
    /// @throws ClosedChannelException when the connection is closed or closing
    public void send(String text) throws IOException, InterruptedException {
        awaitRoom();
        socket.sendText(text);
    }

    /// As [#send(String)], for bytes.
    public void send(byte[] data) throws IOException, InterruptedException {
        awaitRoom();
        Buffer copy = BufferAllocator.pooled().allocate(data.length).writeBytes(data);
        socket.send(WebSocketFrame.binary(copy), null);
    }

    private void awaitRoom() throws IOException, InterruptedException {
        if (!inbox.awaitWritable(socket, timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new SocketTimeoutException("send: the peer took nothing within " + timeout);
        }
        if (!socket.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /// Sets the time that [#send] waits; 1 min by default.
    ///
    /// @throws IllegalArgumentException unless it is positive
    public void timeout(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("timeout: " + value + " (expected: > 0)");
        }
        timeout = value;
    }

    /// Returns the status with which the connection ended; null as long as it has not.
    public @Nullable CloseStatus closeStatus() {
        return inbox.status();
    }

    /// Begins to close with 1000: what was sent arrives before. Does not wait. Messages that came
    /// may still be received.
    @Override
    public void close() {
        close(CloseStatus.NORMAL);
    }

    /// As [#close()], with another status.
    public void close(CloseStatus status) {
        inbox.drain();
        socket.close(status);
    }

    /// Returns the connection itself.
    public WebSocket socket() {
        return socket;
    }
}
