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

    /// Whoever gets a message owns it: here it is passed on, to be written. A peer that sends without taking the echo is
    /// not read any more until it does.
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
