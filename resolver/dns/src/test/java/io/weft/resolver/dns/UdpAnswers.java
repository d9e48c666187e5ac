package io.weft.resolver.dns;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/// A server on the loopback interface, over UDP alone, with one address for every name.
record UdpAnswers(Channel channel) implements AutoCloseable {
    static UdpAnswers start(EventLoopGroup group) {
        DnsDecoder decoder = DnsDecoder.datagrams();
        return new UdpAnswers(
                new DatagramBootstrap(group)
                        .handler(ch -> ch.pipeline().addLast(new Answers(decoder)))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join());
    }

    InetSocketAddress address() {
        return (InetSocketAddress) Objects.requireNonNull(channel.localAddress());
    }

    @Override
    public void close() {
        channel.close().join();
    }

    private record Answers(DnsDecoder decoder) implements MessageHandler<Datagram> {
        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
            DnsMessage query = decoder.message(datagram.content());
            Output out = new Output();
            DnsEncoder.datagrams(512)
                    .encode(
                            SimWorld.answer(
                                    query, query.questions().getFirst().name() + " 60 A 192.0.2.1"),
                            out);
            out.drain(
                    buffer ->
                            ctx.channel().writeAndFlush(new Datagram(buffer, datagram.address())));
        }
    }
}
