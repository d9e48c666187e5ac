package io.weft.conformance.rig;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Writes down what one channel hears. Exceptions close it, as they would unhandled.
public final class Probe implements ChannelHandler {
    public final CompletableFuture<Channel> active = new CompletableFuture<>();
    public final CompletableFuture<Channel> ended = new CompletableFuture<>();
    public final CompletableFuture<Void> inputClosed = new CompletableFuture<>();
    public final AtomicInteger actives = new AtomicInteger();
    public final AtomicInteger inactives = new AtomicInteger();
    public final AtomicInteger inputCloses = new AtomicInteger();
    public final AtomicInteger batches = new AtomicInteger();
    public final List<String> texts = new CopyOnWriteArrayList<>();
    public final List<Boolean> writability = new CopyOnWriteArrayList<>();
    public final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        actives.incrementAndGet();
        active.complete(ctx.channel());
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        inactives.incrementAndGet();
        ended.complete(ctx.channel());
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer buffer = (Buffer) message) {
            texts.add(buffer.readString(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        batches.incrementAndGet();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        inputCloses.incrementAndGet();
        inputClosed.complete(null);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        writability.add(ctx.channel().isWritable());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failures.add(cause);
        ctx.channel().abort();
    }

    public String text() {
        return String.join("", texts);
    }
}
