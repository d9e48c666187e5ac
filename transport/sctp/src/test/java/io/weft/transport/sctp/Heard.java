package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps what a channel reads, its notifications and the events of its life, each in order.
final class Heard implements ChannelHandler {
    /// A message whose content was copied.
    record Text(SctpMessage message, String text) {}

    private final LinkedBlockingQueue<Text> messages = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();

    static String text(Buffer content) {
        byte[] bytes = new byte[content.readableBytes()];
        content.getBytes(content.readOffset(), bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static <T> T next(LinkedBlockingQueue<T> queue, String what) {
        try {
            T next = queue.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("waited for " + what).isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Text message() {
        return next(messages, "a message");
    }

    /// Waits for `length` bytes, however they were cut.
    String bytes(int length) {
        StringBuilder all = new StringBuilder();
        while (all.length() < length) {
            all.append(message().text());
        }
        return all.toString();
    }

    <N> N event(Class<N> type) {
        Object event;
        do {
            event = next(events, type.getSimpleName());
        } while (!type.isInstance(event));
        return type.cast(event);
    }

    void awaitEnd() {
        String told;
        do {
            told = event(String.class);
        } while (!told.equals("inactive"));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object read) {
        SctpMessage message =
                read instanceof SctpMessage sctp ? sctp : SctpMessage.of((Buffer) read, 0);
        try (message) {
            messages.add(new Text(message, text(message.content())));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        events.add(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, @Nullable Throwable cause) {
        events.add(String.valueOf(cause));
        ctx.close();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        events.add("end");
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        events.add("inactive");
        ctx.fireChannelInactive();
    }
}
