package io.weft.conformance.matrix;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps what is written back for a while, some of it counted by [ChannelHandlerContext#holds];
/// keeps the order.
final class TrafficSlow implements ChannelHandler {
    private record Held(Object message, @Nullable Promise<Void> promise) {}

    private final long nanos;
    private final boolean counts;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long bytes;
    private boolean scheduled;

    TrafficSlow(long nanos, boolean counts) {
        this.nanos = nanos;
        this.counts = counts;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        held.add(new Held(message, promise));
        if (counts && message instanceof TrafficChunk(int length)) {
            bytes += length;
            ctx.holds(bytes);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (!scheduled) {
            scheduled = true;
            ctx.eventLoop()
                    .schedule(
                            () -> {
                                scheduled = false;
                                writeOn(ctx);
                                ctx.flush();
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }
    }

    private void writeOn(ChannelHandlerContext ctx) {
        for (Held next; (next = held.poll()) != null; ) {
            ctx.write(next.message, next.promise);
        }
        bytes = 0;
        if (!ctx.isRemoved()) {
            ctx.holds(0);
        }
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        writeOn(ctx);
        ctx.flush();
        ctx.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        writeOn(ctx);
        ctx.flush();
    }
}
