package io.weft.handler.codec;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.PrematureEndException;
import io.weft.engine.Datagram;
import java.net.SocketAddress;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs a decoder on each datagram that comes in: a datagram is one whole message, which travels on
/// in an [Envelope].
///
/// A datagram that holds less than a message, or more, or something else, is dropped. It says
/// nothing about those of other senders, so it is no failure of the channel: neither is a decoder
/// that throws something else over it. Where the channel does not read by itself, a batch of which
/// nothing is left is followed by the next one.
///
/// @param <M> the messages
public final class DatagramDecoderHandler<M> implements ChannelHandler {
    private final Supplier<? extends Decoder<M>> decoders;
    private final BiConsumer<? super @Nullable SocketAddress, ? super RuntimeException> dropped;
    private final ReadDemand demand = new ReadDemand();

    /// @param decoders makes one for each datagram
    /// @param dropped is told who sent a datagram that was dropped, and why: a `DecoderException`
    ///     is the sender's fault, anything else the decoder's
    public DatagramDecoderHandler(
            Supplier<? extends Decoder<M>> decoders,
            BiConsumer<? super @Nullable SocketAddress, ? super RuntimeException> dropped) {
        this.decoders = decoders;
        this.dropped = dropped;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof Datagram datagram)) {
            demand.produced();
            ctx.fireChannelRead(message);
            return;
        }
        M decoded;
        try (datagram) {
            decoded = decode(datagram.content());
        } catch (RuntimeException e) {
            demand.consumed();
            dropped.accept(datagram.address(), e);
            return;
        }
        demand.produced();
        ctx.fireChannelRead(new Envelope<>(decoded, datagram.address()));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        demand.complete(ctx, false);
    }

    private M decode(Buffer in) {
        try (Decoder<M> decoder = decoders.get()) {
            One<M> one = new One<>(decoder);
            try {
                decoder.decode(in, one);
                if (one.message == null) {
                    decoder.end(one); // which may be what ends the message
                }
            } catch (RuntimeException e) {
                one.release();
                throw e;
            }
            M message = one.message;
            if (message == null) {
                throw new PrematureEndException("a datagram");
            }
            if (in.isReadable()) {
                one.release();
                throw new CorruptedFrameException(
                        "datagram: "
                                + in.readableBytes()
                                + " bytes behind its message (expected: none)");
            }
            return message;
        }
    }

    /// Takes one message, and has the decoder stop there.
    private static final class One<M> implements Consumer<M> {
        private final Decoder<M> decoder;
        @Nullable M message;

        One(Decoder<M> decoder) {
            this.decoder = decoder;
        }

        @Override
        public void accept(M taken) {
            if (message != null) {
                release(taken);
                throw new CorruptedFrameException("datagram: two messages (expected: one)");
            }
            message = taken;
            decoder.pause();
        }

        void release() {
            if (message != null) {
                release(message);
            }
        }

        private static void release(Object message) {
            if (message instanceof AutoCloseable owned) {
                try {
                    owned.close();
                } catch (Exception e) {
                    throw new IllegalStateException("closing " + message.getClass(), e);
                }
            }
        }
    }
}
