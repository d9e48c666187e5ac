package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/// A name server on a simulated host, that answers by script: octets over UDP, messages over TCP.
final class SimServer {
    /// Answers a query over UDP.
    interface Script {
        /// @param reply sends a datagram to who asked
        void asked(DnsMessage query, InetSocketAddress from, Reply reply);
    }

    /// Sends datagrams.
    interface Reply {
        void octets(byte[] datagram);

        default void message(DnsMessage message) {
            octets(SimServer.octets(message));
        }
    }

    final SimHost host;
    final List<DnsMessage> udp = new ArrayList<>();
    final List<InetSocketAddress> sources = new ArrayList<>();
    final List<DnsMessage> tcp = new ArrayList<>();
    final List<Channel> connections = new ArrayList<>();

    SimServer(
            Simulation sim,
            SimHost host,
            Script overUdp,
            Function<DnsMessage, List<DnsMessage>> overTcp) {
        this.host = host;
        EventLoopGroup group = host.group(1);
        DnsDecoder decoder = DnsDecoder.datagrams();
        sim.await(
                new DatagramBootstrap(group)
                        .option(ChannelOption.MAX_DATAGRAM_SIZE, 4096)
                        .handler(
                                channel ->
                                        channel.pipeline()
                                                .addLast(new Datagrams(channel, decoder, overUdp)))
                        .bind(host.address(53)));
        sim.await(
                new ServerBootstrap(group)
                        .childHandler(
                                channel -> {
                                    connections.add(channel);
                                    channel.pipeline()
                                            .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                                            .addLast(
                                                    new EncoderHandler<>(
                                                            DnsMessage.class, DnsEncoder.stream()))
                                            .addLast(new Messages(overTcp));
                                })
                        .bind(host.address(53)));
    }

    /// One that answers the same over both.
    static SimServer of(Simulation sim, SimHost host, Function<DnsMessage, DnsMessage> answer) {
        return new SimServer(
                sim,
                host,
                (query, _, reply) -> reply.message(answer.apply(query)),
                query -> List.of(answer.apply(query)));
    }

    DnsServer server() {
        return DnsServer.of(host.address(53));
    }

    static byte[] octets(DnsMessage message) {
        try (Output out = new Output()) {
            DnsEncoder.datagrams(65_535).encode(message, out);
            byte[] octets = new byte[(int) out.size()];
            out.drain(
                    buffer -> {
                        try (buffer) {
                            buffer.readBytes(octets);
                        }
                    });
            return octets;
        }
    }

    private final class Datagrams implements MessageHandler<Datagram> {
        private final Channel channel;
        private final DnsDecoder decoder;
        private final Script script;

        Datagrams(Channel channel, DnsDecoder decoder, Script script) {
            this.channel = channel;
            this.decoder = decoder;
            this.script = script;
        }

        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
            DnsMessage query = decoder.message(datagram.content());
            udp.add(query);
            InetSocketAddress from = (InetSocketAddress) Objects.requireNonNull(datagram.address());
            sources.add(from);
            script.asked(
                    query,
                    from,
                    octets -> {
                        Buffer buffer = BufferAllocator.pooled().allocate(octets.length);
                        buffer.writeBytes(octets);
                        channel.writeAndFlush(new Datagram(buffer, from));
                    });
        }
    }

    private final class Messages implements MessageHandler<DnsMessage> {
        private final Function<DnsMessage, List<DnsMessage>> script;

        Messages(Function<DnsMessage, List<DnsMessage>> script) {
            this.script = script;
        }

        @Override
        public Class<DnsMessage> messageType() {
            return DnsMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, DnsMessage query) {
            tcp.add(query);
            script.apply(query).forEach(message -> ctx.channel().writeAndFlush(message));
        }
    }
}
