package io.weft.packaging;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A server of its own process that sends back whatever it gets, with the transport that its
/// argument names. It prints the transport and the port.
final class ShadedEcho implements ChannelHandler {
    private ShadedEcho() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ctx.write((Buffer) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }

    public static void main(String[] arguments) {
        EventLoopGroup group = EventLoopGroup.create(arguments[0], 1);
        var server =
                new ServerBootstrap(group)
                        .childHandler(channel -> channel.pipeline().addLast(new ShadedEcho()))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join();
        var address = (InetSocketAddress) server.localAddress();
        System.out.println(group.transport() + " " + address.getPort());
    }
}
