package com.example.consumer;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/// Starts an echo server and an HTTP server, asks each, and prints its transport and the answers.
public final class Consumer {
    private Consumer() {}

    /// Sends back what it receives.
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

    public static void main(String[] arguments) throws IOException {
        try (EventLoopGroup group = EventLoopGroup.create(1)) {
            var echo =
                    new ServerBootstrap(group)
                            .childHandler(channel -> channel.pipeline().addLast(new Echo()))
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                            .join();
            int port = ((InetSocketAddress) echo.localAddress()).getPort();
            System.out.println(group.transport() + " " + said(port, "hello") + " " + fetched());
        }
    }

    private static String said(int port, String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(text.getBytes());
            return new String(socket.getInputStream().readNBytes(text.length()));
        }
    }

    private static String fetched() throws IOException {
        try (HttpServer server = HttpServer.listen(0, request -> Response.text("world"))) {
            URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/");
            try (InputStream body = uri.toURL().openStream()) {
                return new String(body.readAllBytes());
            }
        }
    }
}
