package io.weft.bench.transport.process;

import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.weft.bench.netty.NettyTransport;
import io.weft.bench.transport.process.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The same as the examples `tcp-proxy` and `reverse-proxy`, on Netty. `NettyProxy tcp TRANSPORT
/// PORT` passes connections on to a port of this machine, and with `http` requests over HTTP/1.1,
/// on one loop, until its standard input ends.
///
/// As Netty has no pool of HTTP connections, each connection of a client has one to the server.
public final class NettyProxy {
    private static final int BACKLOG = 4096; // as Weft's default is

    private NettyProxy() {}

    public static void main(String[] args) throws IOException {
        boolean http = args[0].equals("http");
        NettyTransport transport = NettyTransport.named(args[1]);
        InetAddress here = InetAddress.getLoopbackAddress();
        InetSocketAddress to = new InetSocketAddress(here, Integer.parseInt(args[2]));
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(group)
                        .channel(transport.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, !http)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel client) {
                                        connect(client, http, transport, to);
                                    }
                                })
                        .bind(here, 0)
                        .syncUninterruptibly();
        int port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        System.out.println(Server.LISTENING + port);
        while (System.in.read() >= 0) {
            // Nothing is asked of it.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void connect(
            Channel client, boolean http, NettyTransport transport, InetSocketAddress to) {
        Relay front = new Relay();
        Relay back = new Relay();
        if (http) {
            client.pipeline().addLast(new HttpServerCodec(), new Heads());
        }
        client.pipeline().addLast(front);
        ChannelFuture connecting =
                new Bootstrap()
                        .group(client.eventLoop())
                        .channel(transport.channel())
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, !http)
                        .option(ChannelOption.AUTO_READ, false)
                        .handler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel server) {
                                        if (http) {
                                            server.pipeline()
                                                    .addLast(new HttpClientCodec(), new Heads());
                                        }
                                        server.pipeline().addLast(back);
                                    }
                                })
                        .connect(to);
        front.other = (DuplexChannel) connecting.channel();
        back.other = (DuplexChannel) client;
        var _ =
                connecting.addListener(
                        outcome -> {
                            if (outcome.isSuccess()) {
                                client.config().setAutoRead(true);
                                connecting.channel().config().setAutoRead(true);
                            } else {
                                var _ = client.close();
                            }
                        });
    }

    /// Changes the fields that a proxy has to.
    private static final class Heads extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof HttpMessage head) {
                head.headers().remove(CONNECTION).add("via", "1.1 netty");
            }
            if (message instanceof HttpRequest request) {
                InetSocketAddress client = (InetSocketAddress) ctx.channel().remoteAddress();
                request.headers().set("x-forwarded-for", client.getAddress().getHostAddress());
            }
            ctx.fireChannelRead(message);
        }
    }

    private static final class Relay extends ChannelInboundHandlerAdapter {
        private @Nullable DuplexChannel other;

        private DuplexChannel other() {
            return Objects.requireNonNull(other);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            var _ = other().write(message, other().voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            other().flush();
            if (!other().isWritable()) {
                ctx.channel().config().setAutoRead(false);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (ctx.channel().isWritable()) {
                other().config().setAutoRead(true);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                var _ = other().shutdownOutput();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            var _ = other().close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }
}
