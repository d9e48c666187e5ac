package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import java.util.concurrent.CompletableFuture;

/// Sends a stream or messages that an echo sends back, and checks each byte. `peer.cpp` has the
/// same ones.
final class Asker implements ChannelHandler {
    private static final int PIECE = 20_000;

    /// Completes with the number of bytes that came back, when all have.
    final CompletableFuture<Long> answered = new CompletableFuture<>();

    private final boolean messages;
    private final long count;

    /// Bytes or messages.
    private long asked;

    private long heard;
    private long bytes;

    Asker(boolean messages, long count) {
        this.messages = messages;
        this.count = count;
    }

    ChannelInitializer initializer() {
        return ch -> ch.pipeline().addLast(this);
    }

    static byte byteAt(long at) {
        return (byte) (at * 31 + (at >> 8) * 17 + (at >> 16));
    }

    static int lengthOf(long message) {
        return 1 + (int) ((message * 7919) % 20_000);
    }

    private static Buffer buffer(long from, int length) {
        Buffer buffer = BufferAllocator.pooled().allocate(length);
        for (int i = 0; i < length; i++) {
            buffer.writeByte(byteAt(from + i));
        }
        return buffer;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ask(ctx);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ask(ctx);
    }

    private void ask(ChannelHandlerContext ctx) {
        while (asked < count && ctx.channel().isWritable()) {
            if (messages) {
                ctx.writeAndFlush(buffer(asked, lengthOf(asked)));
                asked++;
            } else {
                int length = (int) Math.min(PIECE, count - asked);
                Buffer next = buffer(asked, length);
                asked += length;
                ctx.writeAndFlush(next);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer answer = (Buffer) message) {
            int length = answer.readableBytes();
            if (messages && length != lengthOf(heard)) {
                wrong(heard + ": " + length + " bytes (expected: " + lengthOf(heard) + ")");
            }
            for (int i = 0; i < length; i++) {
                if (answer.getByte(answer.readOffset() + i) != byteAt(heard + i)) {
                    wrong("wrong byte " + i + " behind " + heard);
                    return;
                }
            }
            bytes += length;
            heard += messages ? 1 : length;
        }
        if (heard >= count) {
            answered.complete(bytes);
        }
    }

    private void wrong(String what) {
        answered.completeExceptionally(new AssertionError(what));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        answered.completeExceptionally(cause);
        ctx.channel().abort();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        answered.completeExceptionally(
                new AssertionError("closed after " + heard + " of " + count));
    }
}
