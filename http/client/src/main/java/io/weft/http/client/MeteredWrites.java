package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import java.util.function.Consumer;

/// Writes to a channel, and counts how much of them its transport has taken. Thread: the channel's
/// loop.
final class MeteredWrites implements Consumer<Buffer> {
    private final ChannelHandlerContext ctx;
    private long written;

    MeteredWrites(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    @Override
    public void accept(Buffer bytes) {
        written += bytes.readableBytes();
        ctx.write(bytes);
    }

    /// Returns the number of bytes that were written and no longer wait. With TLS it is short of
    /// that by what records add, but grows all the same.
    long taken() {
        return written - ctx.channel().pendingBytes();
    }
}
