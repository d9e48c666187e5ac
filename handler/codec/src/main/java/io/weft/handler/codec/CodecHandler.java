package io.weft.handler.codec;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Codec;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Runs both directions of a [Codec] in a pipeline, as a [DecoderHandler] and an [EncoderHandler]
/// in one place do.
public final class CodecHandler implements ChannelHandler {
    private final DecoderHandler<?> in;
    private final EncoderHandler<?> out;

    /// Makes the decoder and the encoder of one connection.
    public CodecHandler(Codec<?, ?> codec) {
        in = new DecoderHandler<>(codec.decoder().get());
        out = encoder(codec);
    }

    private static <O> EncoderHandler<O> encoder(Codec<?, O> codec) {
        return new EncoderHandler<>(codec.written(), codec.encoder().get());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        in.handlerAdded(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        in.channelRead(ctx, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        in.channelReadComplete(ctx);
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        in.channelInputClosed(ctx);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        in.userEventTriggered(ctx, event);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        out.write(ctx, message, promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        try {
            in.handlerRemoved(ctx);
        } finally {
            out.handlerRemoved(ctx);
        }
    }
}
