package io.weft.conformance.rig;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Sends back what it gets.
public final class Echo implements ChannelHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ctx.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }
}
