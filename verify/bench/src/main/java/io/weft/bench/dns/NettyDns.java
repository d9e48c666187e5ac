package io.weft.bench.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsQueryEncoder;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/// Netty's codecs of datagrams with the door open to what a channel calls, which needs no context
/// for messages without errors.
@NullUnmarked
final class NettyDns {
    private static final InetSocketAddress HERE = new InetSocketAddress(53);

    private final List<Object> out = new ArrayList<>(1);
    private final QueryDecoder queryDecoder = new QueryDecoder();
    private final ResponseDecoder responseDecoder = new ResponseDecoder();
    private final QueryEncoder queryEncoder = new QueryEncoder();
    private final ResponseEncoder responseEncoder = new ResponseEncoder();

    /// @param in becomes the message's
    Object decode(ByteBuf in, boolean query) throws Exception {
        DatagramPacket packet = new DatagramPacket(in, HERE, HERE);
        if (query) {
            queryDecoder.decode(null, packet, out);
        } else {
            responseDecoder.decode(null, packet, out);
        }
        packet.release();
        return out.removeLast();
    }

    @SuppressWarnings("unchecked") // as the decoder of its kind made it
    int encode(Object message, boolean query) throws Exception {
        if (query) {
            queryEncoder.encode(
                    null, (AddressedEnvelope<DnsQuery, InetSocketAddress>) message, out);
        } else {
            responseEncoder.encode(
                    null, (AddressedEnvelope<DnsResponse, InetSocketAddress>) message, out);
        }
        DatagramPacket packet = (DatagramPacket) out.removeLast();
        int length = packet.content().readableBytes();
        ReferenceCountUtil.release(packet);
        return length;
    }

    private static final class QueryDecoder extends DatagramDnsQueryDecoder {
        @Override
        public void decode(ChannelHandlerContext ctx, DatagramPacket packet, List<Object> out)
                throws Exception {
            super.decode(ctx, packet, out);
        }
    }

    private static final class ResponseDecoder extends DatagramDnsResponseDecoder {
        @Override
        public void decode(ChannelHandlerContext ctx, DatagramPacket packet, List<Object> out)
                throws Exception {
            super.decode(ctx, packet, out);
        }
    }

    private static final class QueryEncoder extends DatagramDnsQueryEncoder {
        @Override
        public void encode(
                ChannelHandlerContext ctx,
                AddressedEnvelope<DnsQuery, InetSocketAddress> in,
                List<Object> out)
                throws Exception {
            super.encode(ctx, in, out);
        }

        @Override
        protected ByteBuf allocateBuffer(
                ChannelHandlerContext ctx, AddressedEnvelope<DnsQuery, InetSocketAddress> message) {
            return ByteBufAllocator.DEFAULT.ioBuffer(1024);
        }
    }

    private static final class ResponseEncoder extends DatagramDnsResponseEncoder {
        @Override
        public void encode(
                ChannelHandlerContext ctx,
                AddressedEnvelope<DnsResponse, InetSocketAddress> in,
                List<Object> out)
                throws Exception {
            super.encode(ctx, in, out);
        }

        @Override
        protected ByteBuf allocateBuffer(
                ChannelHandlerContext ctx,
                AddressedEnvelope<DnsResponse, InetSocketAddress> message) {
            return ByteBufAllocator.DEFAULT.ioBuffer(1024);
        }
    }
}
