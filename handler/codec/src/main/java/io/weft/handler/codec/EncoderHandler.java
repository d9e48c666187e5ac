package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Runs an encoder in a pipeline: messages of its type that are written become buffers, others
/// travel on.
///
/// A message that cannot be encoded fails its promise and goes to `exceptionCaught`; nothing of it
/// is written.
///
/// @param <M> the messages
public final class EncoderHandler<M> implements ChannelHandler {
    private final Class<M> type;
    private final Encoder<? super M> encoder;

    /// The encoder becomes the handler's.
    public EncoderHandler(Class<M> type, Encoder<? super M> encoder) {
        this.type = type;
        this.encoder = encoder;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!type.isInstance(message)) {
            ctx.write(message, promise);
            return;
        }
        try (Output out = new Output()) {
            encoder.encode(type.cast(message), out);
            // The promise is told when the last byte is sent.
            Buffer b = out.next();
            if (b == null) {
                if (promise != null) {
                    promise.trySuccess(null);
                }
                return;
            }
            for (Buffer next; (next = out.next()) != null; b = next) {
                ctx.write(b, null);
            }
            ctx.write(b, promise);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        encoder.close();
    }
}
