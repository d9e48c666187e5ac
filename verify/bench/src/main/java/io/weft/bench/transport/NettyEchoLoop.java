package io.weft.bench.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.ScheduledFuture;
import io.weft.bench.netty.NettyTransport;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

final class NettyEchoLoop implements EchoLoop {
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            var _ = ctx.writeAndFlush(message, ctx.voidPromise());
        }
    }

    /// Keeps the promise of what was written until its echo is there.
    private static final class AwaitEcho extends ChannelDuplexHandler {
        private @Nullable ChannelPromise sent;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            sent = promise;
            var _ = ctx.write(message, ctx.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((ByteBuf) message).release();
            ChannelPromise echoed = sent;
            sent = null;
            if (echoed == null) {
                throw new IllegalStateException("an echo of nothing");
            }
            var _ = echoed.setSuccess();
        }
    }

    private final EventLoopGroup group;
    private final ScheduledFuture<?> pending;
    private final Channel client;
    private final ByteBuf one;

    NettyEchoLoop(String label) {
        NettyTransport transport = NettyTransport.named(label);
        group = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
        pending = group.schedule(NettyEchoLoop::nothing, 5, TimeUnit.MINUTES);
        Channel server =
                new ServerBootstrap()
                        .group(group)
                        .channel(transport.serverChannel())
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new Echo());
                                    }
                                })
                        .bind(InetAddress.getLoopbackAddress(), 0)
                        .syncUninterruptibly()
                        .channel();
        client =
                new Bootstrap()
                        .group(group)
                        .channel(transport.channel())
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new AwaitEcho());
                                    }
                                })
                        .connect(server.localAddress())
                        .syncUninterruptibly()
                        .channel();
        one = client.alloc().directBuffer(1).writeByte('a');
    }

    private static void nothing() {}

    @Override
    public void pingPong() {
        client.pipeline().writeAndFlush(one.retainedSlice()).syncUninterruptibly();
    }

    @Override
    public void execute() {
        client.eventLoop().submit(NettyEchoLoop::nothing).syncUninterruptibly();
    }

    @Override
    public void close() {
        pending.cancel(false);
        group.shutdownGracefully(0, 15, TimeUnit.SECONDS).syncUninterruptibly();
        one.release();
    }
}
