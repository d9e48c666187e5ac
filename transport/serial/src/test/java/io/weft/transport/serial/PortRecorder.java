package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Keeps what a channel reads, and the events of its life.
final class PortRecorder implements ChannelHandler {
    private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final List<String> events = new ArrayList<>();
    private int received;

    private synchronized void tell(String event) {
        events.add(event);
        told.add(event);
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    void await(String event) {
        try {
            String next;
            do {
                next = told.poll(60, TimeUnit.SECONDS);
                assertThat(next).as("waited for " + event).isNotNull();
            } while (!next.equals(event));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// On the loop: the number of bytes so far.
    int received() {
        return received;
    }

    private byte[] next() {
        try {
            byte[] next = messages.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("waited for bytes").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits for the next read, and returns its text.
    String message() {
        return new String(next(), StandardCharsets.ISO_8859_1);
    }

    byte[] bytes(int length) {
        byte[] all = new byte[length];
        for (int at = 0; at < length; ) {
            byte[] next = next();
            System.arraycopy(next, 0, all, at, next.length);
            at += next.length;
        }
        return all;
    }

    String text(int length) {
        return new String(bytes(length), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        tell("active");
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer bytes = (Buffer) message) {
            received += bytes.readableBytes();
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            messages.add(copy);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        tell("inputClosed");
        ctx.fireChannelInputClosed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        tell("exception");
        ctx.fireExceptionCaught(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        tell("inactive");
        ctx.fireChannelInactive();
    }
}
