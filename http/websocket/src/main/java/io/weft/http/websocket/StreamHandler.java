package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ChannelPipeline;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.loop.Promise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The joint between a WebSocket and the handlers of a [WebSocketStream]: it hears the connection,
/// and stands in its pipeline behind it. Thread: the channel's loop.
final class StreamHandler implements ChannelHandler, WebSocketListener {
    private final ChannelInitializer handlers;
    private final boolean text;
    private @Nullable ChannelHandlerContext ctx;

    /// A message has come that this stream does not carry.
    private boolean refused;

    StreamHandler(ChannelInitializer handlers, boolean text) {
        this.handlers = handlers;
        this.text = text;
    }

    // ---- the connection ----

    /// @throws IllegalStateException when the listener has a connection already
    @Override
    public void onOpen(WebSocket socket) throws Exception {
        if (ctx != null) {
            throw new IllegalStateException("listener: in use (expected: one a connection)");
        }
        ChannelPipeline pipeline = socket.channel().pipeline();
        pipeline.addLast(this);
        ctx = Objects.requireNonNull(pipeline.context(this));
        handlers.initChannel(socket.channel());
    }

    @Override
    public void onText(WebSocket socket, String message) {
        onPiece(socket, WebSocketFrame.text(message));
    }

    @Override
    public void onBinary(WebSocket socket, Buffer data) {
        onPiece(socket, WebSocketFrame.binary(data));
    }

    @Override
    public void onPiece(WebSocket socket, Data piece) {
        if (refused || ctx == null) {
            piece.close();
        } else if (piece instanceof Text && !text) {
            piece.close();
            refused = true;
            socket.close(CloseStatus.UNSUPPORTED_DATA.because("bytes are expected"));
        } else if (piece.payload().isReadable()) {
            ctx.fireChannelRead(piece.payload());
        } else {
            piece.close();
        }
    }

    @Override
    public void onClose(WebSocket socket, CloseStatus status) {
        if (ctx != null && !ctx.isRemoved()) {
            ctx.fireChannelInputClosed();
        }
    }

    // ---- the handlers ----

    @Override
    public void write(
            ChannelHandlerContext context, Object message, @Nullable Promise<Void> promise) {
        if (message instanceof Buffer bytes) {
            context.write(
                    text ? WebSocketFrame.textOrBinary(bytes) : WebSocketFrame.binary(bytes),
                    promise);
        } else {
            context.write(message, promise);
        }
    }
}
