package io.weft.conformance.matrix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.compression.Compressor;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Compresses what is written, so that the peer can expand each message when it has come; ends the
/// stream with the channel.
final class MatrixCompression implements ChannelHandler {
    private final Compressor compressor;
    private boolean finished;

    MatrixCompression(Compressor compressor) {
        this.compressor = compressor;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (finished || !(message instanceof Buffer plain)) {
            ctx.write(message, promise);
            return;
        }
        Buffer wire = BufferAllocator.pooled().allocate(0);
        try (plain) {
            compressor.compress(plain, wire);
            compressor.flush(wire);
        }
        // In two parts: nothing may come between them.
        Buffer head = wire.split(wire.readableBytes() / 2);
        ctx.write(head);
        ctx.write(wire, promise);
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        if (!finished && ctx.channel().isActive()) {
            finished = true;
            Buffer wire = BufferAllocator.pooled().allocate(0);
            compressor.finish(wire);
            ctx.writeAndFlush(wire);
        }
        ctx.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        compressor.close();
    }
}
