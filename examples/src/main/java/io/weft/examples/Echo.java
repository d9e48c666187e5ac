package io.weft.examples;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Sends back what it receives (RFC 862). Try it with `nc 127.0.0.1 8007`.
public final class Echo {
    private Echo() {}

    public static void main(String[] args) {
        Example.main(8007, args, Echo::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(options, channel -> channel.pipeline().addLast(new EchoHandler()));
    }

    /// Writes each message back: the handler that receives a message owns it, and here passes it
    /// on. A peer that sends without taking the echo is no longer read until it does
    /// (back-pressure).
    static final class EchoHandler implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }
}
