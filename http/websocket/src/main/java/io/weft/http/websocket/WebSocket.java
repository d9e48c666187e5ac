package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.loop.Promise;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A WebSocket connection, whose messages a [WebSocketListener] hears.
///
/// **Sending** queues and flushes; within a call of the listener all is flushed at its end.
/// [#isWritable] is false while more than the channel's high watermark waits: wait for
/// [WebSocketListener#onWritable] then. A peer that takes nothing ends its connection at the
/// watermarks' cap, which is at least two messages of the longest kind.
///
/// **Threads.** Any; what one thread sends arrives in that order.
public final class WebSocket {
    private final Channel channel;
    private final WebSocketHandler handler;
    private final Agreement agreement;

    WebSocket(Channel channel, WebSocketHandler handler, Agreement agreement) {
        this.channel = channel;
        this.handler = handler;
        this.agreement = agreement;
    }

    /// Sends a text. A surrogate without its other half becomes '?'.
    public void sendText(CharSequence text) {
        sendText(text, null);
    }

    /// As [#sendText(CharSequence)].
    ///
    /// @param promise completed when the text was handed to the kernel; fails with an
    ///     [java.io.IOException] when the connection ends before
    public void sendText(CharSequence text, @Nullable Promise<Void> promise) {
        send(WebSocketFrame.text(text), promise);
    }

    /// Sends a message of bytes, which becomes the connection's.
    public void sendBinary(Buffer data) {
        sendBinary(data, null);
    }

    /// As [#sendBinary(Buffer)].
    ///
    /// @param promise as of [#sendText(CharSequence, Promise)]
    public void sendBinary(Buffer data, @Nullable Promise<Void> promise) {
        send(WebSocketFrame.binary(data), promise);
    }

    /// Sends a ping, to which the peer's pong has the same payload.
    ///
    /// @param payload at most 125 bytes, which become the connection's
    public void ping(Buffer payload) {
        send(new Ping(payload), null);
    }

    /// Sends a frame, which becomes the connection's: for messages in pieces, each piece but the
    /// first a continuation. A message must be sent by one thread, and no other message meanwhile.
    ///
    /// @param promise as of [#sendText(CharSequence, Promise)]; fails with an
    ///     [IllegalStateException] for a frame that has no place there
    public void send(WebSocketFrame frame, @Nullable Promise<Void> promise) {
        if (handler.gathers()) {
            channel.write(frame, promise);
        } else {
            channel.writeAndFlush(frame, promise);
        }
    }

    /// Begins to close, with 1000: what was sent arrives before. The peer's messages are heard
    /// until it answers, at most for [WebSocketTimeouts#close].
    public void close() {
        close(CloseStatus.NORMAL);
    }

    /// As [#close()], with another status. A second close changes nothing.
    ///
    /// @throws IllegalArgumentException when the status may not be sent
    public void close(CloseStatus status) {
        if (!status.isSendable() && !status.equals(CloseStatus.NO_STATUS)) {
            throw new IllegalArgumentException(
                    "status: " + status + " (expected: one that may be sent)");
        }
        onLoop(() -> send(new Close(status), null)); // also if the queue is full
    }

    /// Ends the connection at once, with a reset.
    public void abort() {
        var _ = channel.abort();
    }

    /// Stops hearing messages until [#resume], so that the peer gets back-pressure. Pings wait,
    /// too.
    public void pause() {
        onLoop(handler::pause);
    }

    /// Ends a [#pause].
    public void resume() {
        onLoop(handler::resume);
    }

    private void onLoop(Runnable task) {
        if (channel.eventLoop().inLoop()) {
            task.run();
            return;
        }
        try {
            channel.eventLoop().executeUnbounded(task);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    /// False while more than the high watermark waits to be sent.
    public boolean isWritable() {
        return channel.isWritable();
    }

    /// Tells if messages can be sent: neither end has begun to close.
    public boolean isOpen() {
        return handler.isOpen();
    }

    /// Returns the subprotocol that both ends agreed on; null when there is none.
    public @Nullable String subprotocol() {
        return agreement.subprotocol();
    }

    /// Returns what both ends agreed on.
    public Agreement agreement() {
        return agreement;
    }

    public Channel channel() {
        return channel;
    }

    @Override
    public String toString() {
        return "WebSocket[" + channel + "]";
    }
}
