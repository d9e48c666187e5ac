package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import io.weft.codec.Cumulation;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a decoder in a pipeline: buffers that come in go through it, its messages travel on.
///
/// Exceptions of the decoder go to `exceptionCaught`; the rest of the input is ignored then, and if
/// no handler takes it, the channel closes. When the peer ends its input inside a message, that is
/// such an exception too.
///
/// **Removal.** The handler may be removed at any time, also while a message travels: decoding
/// stops behind that message, and the bytes that are left travel on as they are, for a handler of
/// another protocol.
///
/// **Boundary.** At an [InputBoundary] no byte may be left that came before: that is a
/// `DecoderException`.
///
/// **Demand.** Where the channel does not read by itself, a `read` asks for a message: a batch that
/// makes none is followed by the next one.
///
/// @param <M> the messages
public final class DecoderHandler<M> implements ChannelHandler {
    private final Decoder<M> decoder;
    private final Cumulation cumulation = new Cumulation();

    /// Came in while a message travelled.
    private final Cumulation late = new Cumulation();

    private final ReadDemand demand = new ReadDemand();
    private @Nullable Consumer<M> out;
    private boolean decoding;
    private boolean removed;

    // What happened while a message travelled.
    private boolean completed;
    private boolean ended;

    private boolean boundary;

    /// Nothing more comes of the input.
    private boolean failed;

    /// Nor is it given to the decoder, which knows nothing of that.
    private boolean refused;

    /// The decoder becomes the handler's.
    public DecoderHandler(Decoder<M> decoder) {
        this.decoder = decoder;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        out =
                message -> {
                    demand.produced();
                    ctx.fireChannelRead(message);
                };
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Buffer bytes)) {
            ctx.fireChannelRead(message);
            return;
        }
        demand.consumed();
        if (refused) {
            bytes.release();
        } else if (decoding) {
            // Of a batch that a handler behind this one asked for. The decoder is not entered
            // twice.
            demand.askedAgain();
            var _ = keep(late, bytes);
        } else {
            decode(ctx, keep(cumulation, bytes));
        }
    }

    private Buffer keep(Cumulation all, Buffer bytes) {
        try {
            return all.add(bytes);
        } catch (RuntimeException | Error e) {
            refuse(); // bytes are missing
            throw e;
        }
    }

    /// Gives up the input, but for the bytes that the decoder is reading.
    private void refuse() {
        failed = true;
        refused = true;
        late.release();
        if (!decoding) {
            cumulation.release();
        }
    }

    private void decode(ChannelHandlerContext ctx, Buffer first) {
        decoding = true;
        try {
            for (Buffer in = first; in != null && !removed; in = next()) {
                decoder.decode(in, consumer());
                cumulation.trim();
                if (boundary) {
                    boundary = false;
                    refuseWhatIsLeft();
                    decoder.resume();
                }
            }
        } catch (RuntimeException | Error e) {
            failed = true;
            if (!(e instanceof DecoderException)) {
                refused = true; // nobody knows what state the decoder is in
                cumulation.release();
                late.release();
            }
            throw e;
        } finally {
            decoding = false;
            boundary = false;
            if (removed) {
                passOn(ctx);
            } else {
                keepRest();
            }
            if (completed) {
                channelReadComplete(ctx);
            }
            if (ended) {
                end(ctx);
            }
        }
    }

    /// Keeps what is left when the decoder threw.
    private void keepRest() {
        if (refused) {
            cumulation.release();
            return;
        }
        try {
            next();
            cumulation.trim();
        } catch (RuntimeException e) {
            refuse(); // behind the exception of the decoder
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof InputBoundary && !removed) {
            if (decoding) {
                boundary = true; // behind the message that travels
                decoder.pause();
            } else {
                refuseWhatIsLeft();
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    private void refuseWhatIsLeft() {
        int left = cumulation.size() + late.size();
        if (left > 0) {
            refused = true;
            cumulation.release();
            late.release();
            throw new DecoderException(
                    "bytes in front of a boundary of the input: " + left + " (expected: none)");
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
    public void channelReadComplete(ChannelHandlerContext ctx) {
        completed = decoding;
        if (decoding) {
            return;
        }
        demand.complete(ctx, failed || removed);
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (decoding) {
            ended = true; // behind the messages that are still to come
        } else {
            end(ctx);
        }
    }

    private void end(ChannelHandlerContext ctx) {
        ended = false;
        try {
            if (!removed && !refused) {
                decoder.end(consumer());
            }
        } catch (RuntimeException e) {
            failed = true;
            ctx.fireExceptionCaught(e);
        } finally {
            demand.completeLast(ctx);
            ctx.fireChannelInputClosed();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        removed = true;
        if (decoding) {
            decoder.pause();
        } else if (passOn(ctx)) {
            ctx.fireChannelReadComplete(); // of no batch: nobody else says so
        }
    }

    /// Passes undecoded bytes on, or releases them if the channel is closed. Returns true if there
    /// were any to pass on.
    private boolean passOn(ChannelHandlerContext ctx) {
        decoder.close();
        Buffer rest = cumulation.take();
        Buffer more = late.take();
        if (!ctx.channel().isOpen()) {
            release(rest);
            release(more);
            return false;
        }
        boolean some = (rest != null && rest.isReadable()) || more != null;
        if (rest != null && rest.isReadable()) {
            ctx.fireChannelRead(rest);
        } else {
            release(rest);
        }
        if (more != null) {
            ctx.fireChannelRead(more);
        }
        return some;
    }

    private static void release(@Nullable Buffer buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }
}
