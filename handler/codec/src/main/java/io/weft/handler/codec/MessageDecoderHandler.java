package io.weft.handler.codec;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.MessageDecoder;

/// Runs a decoder of messages in a pipeline: those of its type that come in go through it, others travel on.
///
/// @param <I> what it decodes
public final class MessageDecoderHandler<I> implements ChannelHandler {
    private final Class<I> type;
    private final MessageDecoder<? super I, ?> decoder;

    /// The decoder becomes the handler's.
    public MessageDecoderHandler(Class<I> type, MessageDecoder<? super I, ?> decoder) {
        this.type = type;
        this.decoder = decoder;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (type.isInstance(message)) {
            decoder.decode(type.cast(message), ctx::fireChannelRead);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        try {
            decoder.end(ctx::fireChannelRead);
        } finally {
            ctx.fireChannelInputClosed();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        decoder.close();
    }
}
