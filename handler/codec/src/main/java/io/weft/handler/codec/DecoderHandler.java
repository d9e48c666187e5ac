package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.Cumulation;
import io.weft.codec.framing.Decoder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a decoder in a pipeline: buffers that come in go through it, its messages travel on.
///
/// What the decoder throws goes to `exceptionCaught`; after a [io.weft.codec.framing.DecoderException] the rest of the
/// input is ignored, and unless somebody handles it the channel closes. When the peer ends its input inside a message,
/// that is such an exception too.
///
/// **Removal.** The handler may be removed at any time, also while a message travels: decoding stops behind that message,
/// and the bytes that are left travel on as they are, for a handler of another protocol.
///
/// @param <M> the messages
public final class DecoderHandler<M> implements ChannelHandler {
    private final Decoder<M> decoder;
    private final Cumulation cumulation = new Cumulation();

    /// Came in while a message travelled.
    private final Cumulation late = new Cumulation();

    private @Nullable Consumer<M> out;
    private boolean decoding;
    private boolean removed;

    /// The decoder becomes the handler's.
    public DecoderHandler(Decoder<M> decoder) {
        this.decoder = decoder;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        out = ctx::fireChannelRead;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            ctx.fireChannelRead(message);
        } else if (decoding) {
            // Of a batch that a handler behind this one asked for. The decoder is not entered
            // twice.
            var _ = late.add(bytes);
        } else {
            decode(ctx, cumulation.add(bytes));
        }
    }

    private void decode(ChannelHandlerContext ctx, Buffer first) {
        decoding = true;
        try {
            for (Buffer in = first; in != null && !removed; in = next()) {
                decoder.decode(in, consumer());
                cumulation.trim();
            }
        } finally {
            decoding = false;
            if (removed) {
                passOn(ctx);
            } else {
                next(); // what is left when the decoder threw
                cumulation.trim();
            }
        }
    }

    private @Nullable Buffer next() {
        Buffer more = late.take();
        return more == null ? null : cumulation.add(more);
    }

    private Consumer<M> consumer() {
        if (out == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return out;
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        try {
            decoder.end(consumer());
        } finally {
            ctx.fireChannelInputClosed();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        removed = true;
        if (decoding) {
            decoder.pause();
        } else {
            passOn(ctx);
        }
    }

    private void passOn(ChannelHandlerContext ctx) {
        decoder.close();
        Buffer rest = cumulation.take();
        Buffer more = late.take();
        if (!ctx.channel().isOpen()) {
            release(rest);
            release(more);
            return;
        }
        if (rest != null && rest.isReadable()) {
            ctx.fireChannelRead(rest);
        } else {
            release(rest);
        }
        if (more != null) {
            ctx.fireChannelRead(more);
        }
    }

    private static void release(@Nullable Buffer buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }
}
