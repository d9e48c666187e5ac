package io.weft.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The client's end of a channel behind a request, on which the server sends back what it hears.
final class EchoTunnel implements ChannelHandler {
    /// The first 100 bytes that came, and perhaps more.
    final StringBuilder heard = new StringBuilder();

    long bytes;
    boolean ended;
    private @Nullable Channel channel;

    /// The server's end, for an `Upgrade`.
    static void echo(Channel there) {
        there.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                ctx.writeAndFlush(message);
                            }
                        });
    }

    void listen(Channel there) {
        channel = there;
        there.pipeline().addLast(this);
    }

    boolean isOpened() {
        return channel != null;
    }

    Channel channel() {
        return Objects.requireNonNull(channel);
    }

    void say(String text) {
        Channel there = channel();
        there.eventLoop()
                .execute(
                        () ->
                                there.writeAndFlush(
                                        BufferAllocator.pooled()
                                                .allocate(text.length())
                                                .writeBytes(text.getBytes(US_ASCII))));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer piece = (Buffer) message) {
            bytes += piece.readableBytes();
            if (bytes - piece.readableBytes() < 100) {
                heard.append(piece.readString(US_ASCII));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended = true;
        ctx.fireChannelInactive();
    }
}
