package io.weft.transport.sctp;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Sends every message back where it came from.
final class EchoHandler implements ChannelHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ctx.writeAndFlush(message);
    }
}
