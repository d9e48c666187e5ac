package io.weft.simulation;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.handler.timeout.IdleState;
import io.weft.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.time.Duration;

/// Sends each frame back, and closes connections that are idle for a minute.
final class FrameServer implements ChannelHandler {
    private final Tally tally;
    private final int[] open;

    private FrameServer(Tally tally, int[] open) {
        this.tally = tally;
        this.open = open;
    }

    /// @param open counts the connections
    static void addTo(Channel channel, Tally tally, int[] open) {
        channel.pipeline()
                .addLast(new IdleStateHandler(Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO));
        Dialect.FRAMES.addTo(channel.pipeline());
        channel.pipeline().addLast(new FrameServer(tally, open));
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        open[0]++;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        open[0]--;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ctx.write((Buffer) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleState) {
            ctx.channel().close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // A frame that the end of the connection cut off is no fault of the server's.
        if (!(cause instanceof IOException) && !(cause instanceof io.weft.codec.DecoderException)) {
            tally.broken("server: " + cause);
        }
        ctx.channel().abort();
    }
}
