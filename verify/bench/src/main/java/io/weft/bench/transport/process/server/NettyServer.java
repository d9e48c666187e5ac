package io.weft.bench.transport.process.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.http.HttpServerCodec;
import io.weft.bench.netty.HelloHandler;
import io.weft.bench.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;

/// Netty's servers, as a user would write them.
record NettyServer(int tcp, int second) implements Server.Ports {
    private static final int BACKLOG = 4096; // as Weft's default is
    private static final int DATAGRAM = 2048;
    private static final int BATCH = 16;

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Object answer =
                    message instanceof DatagramPacket packet
                            ? new DatagramPacket(packet.content(), packet.sender())
                            : message;
            var _ = ctx.write(answer, ctx.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close(); // Peers that reset their connections are part of the load.
        }
    }

    private static final class Connection extends ChannelInitializer<Channel> {
        private final boolean http;

        Connection(boolean http) {
            this.http = http;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (http) {
                channel.pipeline().addLast(new HttpServerCodec(), new HelloHandler());
            } else {
                channel.pipeline().addLast(new Echo());
            }
        }
    }

    static NettyServer start(
            NettyTransport transport, Server.Service service, int port, Path directory) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
        if (service == Server.Service.HTTP2) {
            return new NettyServer(
                    http(group, transport, new NettyHttp2(null)),
                    http(group, transport, NettyHttp2.tls()));
        }
        if (service == Server.Service.HTTP1) {
            return new NettyServer(
                    http(group, transport, NettyHttp1.plain(directory)),
                    http(group, transport, NettyHttp1.tls(directory)));
        }
        if (service == Server.Service.WEBSOCKET) {
            return new NettyServer(http(group, transport, NettyHttp1.webSocket()), 0);
        }
        if (service == Server.Service.DNS) {
            return new NettyServer(0, port(datagrams(group, transport, new NettyDns())));
        }
        ServerBootstrap tcp =
                listener(
                                group,
                                transport.serverChannel(),
                                service == Server.Service.REDIS
                                        ? new NettyRedis()
                                        : new Connection(service == Server.Service.HTTP))
                        .childOption(ChannelOption.TCP_NODELAY, true);
        int tcpPort = port(bind(tcp, new InetSocketAddress(loopback(), port)));
        if (service != Server.Service.ECHO_ALL) {
            return new NettyServer(tcpPort, 0);
        }
        SocketAddress unix =
                transport == NettyTransport.NIO
                        ? Server.unix(directory)
                        : new DomainSocketAddress(Server.unix(directory).getPath().toString());
        bind(listener(group, transport.unixServerChannel(), false), unix);
        return new NettyServer(tcpPort, port(datagrams(group, transport, new Connection(false))));
    }

    private static ServerBootstrap listener(
            EventLoopGroup group, Class<? extends ServerChannel> type, boolean http) {
        return listener(group, type, new Connection(http));
    }

    private static ServerBootstrap listener(
            EventLoopGroup group,
            Class<? extends ServerChannel> type,
            ChannelInitializer<Channel> connections) {
        return new ServerBootstrap()
                .group(group)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(connections);
    }

    private static int http(
            EventLoopGroup group,
            NettyTransport transport,
            ChannelInitializer<Channel> connections) {
        ServerBootstrap listener =
                listener(group, transport.serverChannel(), connections)
                        .childOption(ChannelOption.TCP_NODELAY, true);
        return port(bind(listener, new InetSocketAddress(loopback(), 0)));
    }

    private static SocketAddress bind(ServerBootstrap listener, SocketAddress address) {
        return listener.bind(address).syncUninterruptibly().channel().localAddress();
    }

    private static SocketAddress datagrams(
            EventLoopGroup group, NettyTransport transport, ChannelInitializer<Channel> handlers) {
        Bootstrap datagrams =
                new Bootstrap().group(group).channel(transport.datagramChannel()).handler(handlers);
        if (transport == NettyTransport.EPOLL) {
            // Asked for by this, it receives several with one call; not by itself.
            datagrams
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, DATAGRAM)
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new FixedRecvByteBufAllocator(DATAGRAM * BATCH));
        }
        return datagrams.bind(loopback(), 0).syncUninterruptibly().channel().localAddress();
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }
}
