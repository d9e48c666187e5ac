package io.weft.handler.codec;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.MessageDecoder;

/// Runs a decoder of messages in a pipeline: those of its type that come in go through it, others
/// travel on.
///
/// Exceptions of the decoder go to `exceptionCaught`; messages of its type are released from then
/// on, and if no handler takes it, the channel closes. Where the channel does not read by itself, a
/// batch that makes no message is followed by the next one.
///
/// @param <I> what it decodes
public final class MessageDecoderHandler<I> implements ChannelHandler {
    private final Class<I> type;
    private final MessageDecoder<? super I, ?> decoder;
    private final ReadDemand demand = new ReadDemand();
    private boolean failed;

    /// The decoder becomes the handler's.
    public MessageDecoderHandler(Class<I> type, MessageDecoder<? super I, ?> decoder) {
        this.type = type;
        this.decoder = decoder;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (!type.isInstance(message)) {
            demand.produced();
            ctx.fireChannelRead(message);
        } else if (failed) {
            if (message instanceof AutoCloseable owned) {
                owned.close();
            }
        } else {
            demand.consumed();
            run(() -> decoder.decode(type.cast(message), made -> passOn(ctx, made)));
        }
    }

    private void passOn(ChannelHandlerContext ctx, Object message) {
        demand.produced();
        ctx.fireChannelRead(message);
    }

    private void run(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            failed = true;
            throw e;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        demand.complete(ctx, failed);
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        try {
            if (!failed) {
                run(() -> decoder.end(made -> passOn(ctx, made)));
            }
        } finally {
            demand.completeLast(ctx);
            ctx.fireChannelInputClosed();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        decoder.close();
    }
}
