package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Throws away what it receives (RFC 863).
public final class Discard {
    private Discard() {}

    public static void main(String[] args) {
        Example.main(8009, args, Discard::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(options, channel -> channel.pipeline().addLast(new DiscardHandler()));
    }

    /// Releases each message: the handler that receives a message owns it, and here it ends.
    private static final class DiscardHandler implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
        }
    }
}
