package io.weft.bench.transport.machine;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.sctp.SctpChannelOption;
import io.netty.channel.sctp.nio.NioSctpServerChannel;
import java.net.InetSocketAddress;

/// An echo over Netty's SCTP, which is the JDK's channels on its loops.
final class NettySctpEcho implements SctpRates.Server {
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel server;

    NettySctpEcho(InetSocketAddress any) {
        server =
                new ServerBootstrap()
                        .group(group)
                        .channel(NioSctpServerChannel.class)
                        .childOption(SctpChannelOption.SCTP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new Echo());
                                    }
                                })
                        .bind(any)
                        .syncUninterruptibly()
                        .channel();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            var _ = ctx.write(message, ctx.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    @Override
    public void close() {
        var _ = group.shutdownGracefully();
    }
}
