package io.weft.transport.udt;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Sends back what it gets.
final class Echo implements ChannelHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ctx.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }
}
