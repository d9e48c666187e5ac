package io.weft.bench.transport.process.server;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;

/// Weft's servers, as a user would write them.
record WeftServer(int tcp, int second) implements Server.Ports {
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

    static WeftServer start(String transport, Server.Service service, int port, Path directory) {
        EventLoopGroup group = EventLoopGroup.create(transport, 1);
        if (service == Server.Service.HTTP2) {
            return new WeftServer(
                    http(group, WeftHttp2.server()), http(group, WeftHttp2.tlsServer()));
        }
        if (service == Server.Service.HTTP1) {
            return new WeftServer(
                    http(group, WeftHttp1.server(directory)),
                    http(group, WeftHttp1.tlsServer(directory)));
        }
        if (service == Server.Service.WEBSOCKET) {
            return new WeftServer(http(group, WeftHttp1.webSocket()), 0);
        }
        if (service == Server.Service.DNS) {
            return new WeftServer(0, datagrams(group, new WeftDns()));
        }
        ChannelInitializer echo = channel -> channel.pipeline().addLast(new Echo());
        ServerBootstrap tcp = new ServerBootstrap(group);
        if (service == Server.Service.HTTP) {
            Response hello = Response.text("Hello, World!");
            tcp.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(HttpServer.builder().handler(_ -> hello).initializer());
        } else if (service == Server.Service.REDIS) {
            tcp.childHandler(WeftRedis.connections());
        } else {
            tcp.childHandler(echo);
        }
        int tcpPort = port(tcp.bind(loopback(port)).join().localAddress());
        if (service != Server.Service.ECHO_ALL) {
            return new WeftServer(tcpPort, 0);
        }
        new ServerBootstrap(group).childHandler(echo).bind(Server.unix(directory)).join();
        return new WeftServer(tcpPort, datagrams(group, new Echo()));
    }

    private static int datagrams(EventLoopGroup group, ChannelHandler handler) {
        Channel datagrams =
                new DatagramBootstrap(group)
                        .handler(channel -> channel.pipeline().addLast(handler))
                        .bind(loopback(0))
                        .join();
        return port(datagrams.eventLoop().submit(datagrams::localAddress).join());
    }

    private static int http(EventLoopGroup group, HttpServer.Builder server) {
        ServerBootstrap listener =
                new ServerBootstrap(group)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(server.initializer());
        return port(listener.bind(loopback(0)).join().localAddress());
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }
}
