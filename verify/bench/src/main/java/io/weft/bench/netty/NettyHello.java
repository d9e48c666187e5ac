package io.weft.bench.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// The hello server as a Netty user would write it: `NettyHello epoll|io_uring|nio [PORT]`, one
/// event loop.
public final class NettyHello {
    private NettyHello() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: NettyHello epoll|io_uring|nio [PORT]");
            System.exit(2);
        }
        NettyTransport transport = NettyTransport.named(args[0]);
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 0;

        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
        Channel server =
                new ServerBootstrap()
                        .group(loop)
                        .channel(transport.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, 1024)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(new HelloPipeline())
                        .bind(InetAddress.getLoopbackAddress(), port)
                        .sync()
                        .channel();
        InetSocketAddress at = (InetSocketAddress) server.localAddress();
        System.out.println(
                "listening on 127.0.0.1:" + at.getPort() + " (netty " + transport.label + ")");
        server.closeFuture().sync();
    }

    private static final class HelloPipeline extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new HelloHandler());
        }
    }
}
