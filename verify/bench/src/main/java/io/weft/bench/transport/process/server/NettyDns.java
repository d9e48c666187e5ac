package io.weft.bench.transport.process.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.ZoneDecoder;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The same as [WeftDns], on Netty's codec.
final class NettyDns extends ChannelInitializer<Channel> {
    /// Data of addresses by name.
    private final Map<String, byte[]> zone = new HashMap<>();

    private byte[] soa = {};

    NettyDns() {
        for (DnsRecord record : ZoneDecoder.parse(DnsNames.zone(), DnsName.ROOT)) {
            byte[] data = RdataFormat.encode(record.data()).toArray();
            switch (record.type().toString()) {
                case "A" -> zone.put(record.name().toString(), data);
                case "SOA" -> soa = data;
                default -> {}
            }
        }
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(
                        new DatagramDnsQueryDecoder(),
                        new DatagramDnsResponseEncoder(),
                        new Answers());
    }

    private final class Answers extends SimpleChannelInboundHandler<DatagramDnsQuery> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, DatagramDnsQuery query) {
            InetSocketAddress here = query.recipient();
            InetSocketAddress there = query.sender();
            DatagramDnsResponse response = new DatagramDnsResponse(here, there, query.id());
            response.setAuthoritativeAnswer(true);
            response.setRecursionDesired(query.isRecursionDesired());
            DnsQuestion question = query.recordAt(DnsSection.QUESTION);
            response.addRecord(DnsSection.QUESTION, question);
            byte @Nullable [] address = zone.get(question.name().toLowerCase(Locale.ROOT));
            if (address == null) {
                response.setCode(DnsResponseCode.NXDOMAIN);
                response.addRecord(
                        DnsSection.AUTHORITY, record(DnsNames.ZONE, DnsRecordType.SOA, soa));
            } else {
                response.addRecord(
                        DnsSection.ANSWER, record(question.name(), DnsRecordType.A, address));
            }
            var _ = ctx.write(response, ctx.voidPromise());
        }

        private static DefaultDnsRawRecord record(String name, DnsRecordType type, byte[] data) {
            return new DefaultDnsRawRecord(name, type, DnsNames.TTL, Unpooled.wrappedBuffer(data));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            // one datagram's
        }
    }
}
