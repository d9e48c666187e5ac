package io.weft.conformance;

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
final class Probe implements ChannelHandler {
    final CompletableFuture<Channel> active = new CompletableFuture<>();
    final CompletableFuture<Channel> ended = new CompletableFuture<>();
    final CompletableFuture<Void> inputClosed = new CompletableFuture<>();
    final AtomicInteger actives = new AtomicInteger();
    final AtomicInteger inactives = new AtomicInteger();
    final AtomicInteger inputCloses = new AtomicInteger();
    final AtomicInteger batches = new AtomicInteger();
    final List<String> texts = new CopyOnWriteArrayList<>();
    final List<Boolean> writability = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

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

    String text() {
        return String.join("", texts);
    }
}
