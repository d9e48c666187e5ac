package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Runs an encoder whose messages are datagrams: an [Envelope] with a message of its type becomes
/// one, and so does such a message by itself, for the peer of a connected channel. Others travel
/// on.
///
/// A message that cannot be encoded, or not in one datagram, fails its promise and goes to
/// `exceptionCaught`; nothing of it is written. One that is encoded to nothing is an empty
/// datagram.
///
/// @param <M> the messages
public final class DatagramEncoderHandler<M> implements ChannelHandler {
    /// Bytes that a UDP datagram holds over IPv4.
    private static final int MAX_BYTES = 65_507;

    private final Class<M> type;
    private final Encoder<? super M> encoder;
    private final int maxBytes;

    /// The encoder becomes the handler's.
    public DatagramEncoderHandler(Class<M> type, Encoder<? super M> encoder) {
        this(type, encoder, MAX_BYTES);
    }

    /// @param maxBytes of a datagram: what the network takes in one piece, often 1,472
    public DatagramEncoderHandler(Class<M> type, Encoder<? super M> encoder, int maxBytes) {
        if (maxBytes < 0 || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "maxBytes: " + maxBytes + " (expected: 0 to " + MAX_BYTES + ")");
        }
        this.type = type;
        this.encoder = encoder;
        this.maxBytes = maxBytes;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (message instanceof Envelope<?> envelope && type.isInstance(envelope.message())) {
            write(ctx, type.cast(envelope.message()), envelope.address(), promise);
        } else if (type.isInstance(message)) {
            write(ctx, type.cast(message), null, promise);
        } else {
            ctx.write(message, promise);
        }
    }

    private void write(
            ChannelHandlerContext ctx,
            M message,
            @Nullable SocketAddress address,
            @Nullable Promise<Void> promise) {
        Datagram datagram;
        try (Output out = new Output()) {
            encoder.encode(message, out);
            long length = out.size();
            if (length > maxBytes) {
                throw new IllegalArgumentException(
                        "datagram bytes: " + length + " (expected: at most " + maxBytes + ")");
            }
            datagram = new Datagram(whole(out, (int) length, ctx), address);
        }
        ctx.write(datagram, promise);
    }

    /// In one buffer, copied if there are several.
    private static Buffer whole(Output out, int length, ChannelHandlerContext ctx) {
        Buffer first = out.next();
        if (first != null && first.readableBytes() == length) {
            return first;
        }
        Buffer all;
        try {
            all = ctx.channel().allocator().allocate(length);
        } catch (RuntimeException | Error e) {
            if (first != null) {
                first.release(); // the output no longer has it
            }
            throw e;
        }
        for (Buffer next = first; next != null; next = out.next()) {
            all.writeBytes(next);
            next.release();
        }
        return all;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        encoder.close();
    }
}
