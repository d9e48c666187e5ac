package io.weft.handler.codec;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.MessageEncoder;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Runs an encoder of messages in a pipeline: those of its type that are written go through it,
/// others travel on.
///
/// @param <I> what it encodes
public final class MessageEncoderHandler<I> implements ChannelHandler {
    private final Class<I> type;
    private final MessageEncoder<? super I, ?> encoder;

    /// The encoder becomes the handler's.
    public MessageEncoderHandler(Class<I> type, MessageEncoder<? super I, ?> encoder) {
        this.type = type;
        this.encoder = encoder;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!type.isInstance(message)) {
            ctx.write(message, promise);
            return;
        }
        ArrayDeque<Object> out = new ArrayDeque<>(2);
        try {
            encoder.encode(type.cast(message), out::add);
        } catch (RuntimeException e) {
            out.forEach(made -> release(made, e)); // nothing of it is written
            throw e;
        }
        if (out.isEmpty() && promise != null) {
            promise.trySuccess(null);
        }
        for (Object next; (next = out.poll()) != null; ) {
            ctx.write(next, out.isEmpty() ? promise : null);
        }
    }

    private static void release(Object made, RuntimeException cause) {
        if (made instanceof AutoCloseable owned) {
            try {
                owned.close();
            } catch (Exception e) {
                cause.addSuppressed(e);
            }
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        encoder.close();
    }
}
