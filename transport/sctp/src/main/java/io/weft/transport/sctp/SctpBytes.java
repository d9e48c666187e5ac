package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Lets codecs of byte streams run on one stream of an association: reads the content of that
/// stream's messages as buffers, and writes buffers as ordered messages of it. Messages of other
/// streams travel on as they are.
///
/// Received messages of other payload protocol identifiers than the one that is written are taken
/// too. For channels of [SctpMode#MESSAGES].
public final class SctpBytes implements ChannelHandler {
    /// Bytes of a message that a longer buffer is cut into.
    private static final int PIECE = 32 << 10;

    private final int stream;
    private final int protocolId;

    /// @param stream of the association, 0 to 65535
    /// @param protocolId of the messages that are written
    /// @throws IllegalArgumentException when the stream is out of its range
    public SctpBytes(int stream, int protocolId) {
        SctpOption.check("stream", stream, 0, 0xffff);
        this.stream = stream;
        this.protocolId = protocolId;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof SctpMessage sctp && sctp.stream() == stream) {
            ctx.fireChannelRead(sctp.content());
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (message instanceof CompositeBuffer composite) {
            writeParts(ctx, composite, promise);
        } else if (message instanceof Buffer bytes) {
            writeBytes(ctx, bytes, promise);
        } else {
            ctx.write(message, promise);
        }
    }

    private void writeParts(
            ChannelHandlerContext ctx, CompositeBuffer composite, @Nullable Promise<Void> promise) {
        try (composite) {
            while (composite.isReadable()) {
                Buffer part = composite.removeFirst();
                writeBytes(ctx, part, composite.isReadable() ? null : promise);
            }
        }
    }

    private void writeBytes(
            ChannelHandlerContext ctx, Buffer bytes, @Nullable Promise<Void> promise) {
        while (bytes.readableBytes() > PIECE) {
            ctx.write(SctpMessage.of(bytes.split(PIECE), stream, protocolId), null);
        }
        if (bytes.isReadable()) {
            ctx.write(SctpMessage.of(bytes, stream, protocolId), promise);
        } else {
            ctx.write(bytes, promise); // SCTP has no empty messages, but a caller may wait
        }
    }
}
