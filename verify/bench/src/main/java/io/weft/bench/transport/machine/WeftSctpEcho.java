package io.weft.bench.transport.machine;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sctp.SctpAddress;
import java.net.InetSocketAddress;

/// An echo over our channels, on epoll.
final class WeftSctpEcho implements SctpRates.Server {
    private final EventLoopGroup group = EventLoopGroup.create("epoll", 1);
    private final ServerChannel server;

    WeftSctpEcho(InetSocketAddress any) {
        server =
                new ServerBootstrap(group)
                        .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(SctpAddress.messages(any))
                        .join();
    }

    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    @Override
    public InetSocketAddress address() {
        return ((SctpAddress) server.localAddress()).sockets().getFirst();
    }

    @Override
    public void close() {
        group.close();
    }
}
