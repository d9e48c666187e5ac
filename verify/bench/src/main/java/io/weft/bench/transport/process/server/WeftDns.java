package io.weft.bench.transport.process.server;

import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsException;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.engine.Datagram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A zone over UDP, as a user of Weft would serve it.
final class WeftDns implements MessageHandler<Datagram> {
    private static final int MAX_DATAGRAM = 1232;

    private final Map<DnsName, List<DnsRecord>> zone = new HashMap<>();
    private final DnsRecord soa;
    private final DnsDecoder decoder = DnsDecoder.datagrams();
    private final DnsEncoder encoder = DnsEncoder.datagrams(MAX_DATAGRAM);

    WeftDns() {
        List<DnsRecord> records = ZoneDecoder.parse(DnsNames.zone(), DnsName.ROOT);
        soa = records.getFirst();
        records.forEach(record -> zone.put(record.name(), List.of(record)));
    }

    @Override
    public Class<Datagram> messageType() {
        return Datagram.class;
    }

    @Override
    public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
        DnsMessage query;
        try {
            query = decoder.message(datagram.content());
        } catch (DnsException _) {
            return;
        }
        Output out = new Output();
        var _ = encoder.encode(answer(query), Math.min(query.maxResponse(), MAX_DATAGRAM), out);
        out.drain(buffer -> ctx.write(new Datagram(buffer, datagram.address())));
    }

    private DnsMessage answer(DnsMessage query) {
        List<DnsRecord> found = zone.get(query.questions().getFirst().name());
        DnsMessage response =
                found == null
                        ? query.response(ResponseCode.NXDOMAIN, List.of())
                                .sections(List.of(), List.of(soa), List.of())
                        : query.response(ResponseCode.NOERROR, found);
        return response.flags(response.flags().authoritative(true));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.flush();
    }
}
