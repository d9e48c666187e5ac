package io.weft.bench.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Ns;
import java.util.ArrayList;
import java.util.List;

/// Messages as they travel between a resolver and a server, with EDNS.
public enum Kind {
    /// A question.
    QUERY,
    /// One address.
    ADDRESS,
    /// An alias, four addresses of its target, and two servers with their addresses.
    ALIAS;

    DnsMessage message() {
        DnsName name = DnsName.parse("www.example.com.");
        DnsMessage query = DnsMessage.query(0x1234, name, RecordType.A);
        return switch (this) {
            case QUERY -> query;
            case ADDRESS ->
                    query.response(
                            ResponseCode.NOERROR,
                            List.of(new DnsRecord(name, 300, A.of("192.0.2.1"))));
            case ALIAS -> alias(query, name);
        };
    }

    private static DnsMessage alias(DnsMessage query, DnsName name) {
        DnsName target = DnsName.parse("www.example.com.edge.example.net.");
        DnsName zone = DnsName.parse("example.net.");
        List<DnsRecord> answers = new ArrayList<>();
        answers.add(new DnsRecord(name, 300, new Cname(target)));
        for (int i = 1; i <= 4; i++) {
            answers.add(new DnsRecord(target, 60, A.of("192.0.2." + i)));
        }
        List<DnsRecord> servers = new ArrayList<>();
        List<DnsRecord> addresses = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            DnsName server = DnsName.parse("ns" + i + ".example.net.");
            servers.add(new DnsRecord(zone, 3600, new Ns(server)));
            addresses.add(new DnsRecord(server, 3600, A.of("192.0.2.10" + i)));
            addresses.add(new DnsRecord(server, 3600, Aaaa.of("2001:db8::" + i)));
        }
        return query.response(ResponseCode.NOERROR, answers).sections(answers, servers, addresses);
    }
}
