package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Soa;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Names that servers are not asked for.
final class SpecialNames {
    private static final DnsName LOCALHOST = DnsName.parse("localhost.");
    private static final DnsName INVALID = DnsName.parse("invalid.");
    private static final DnsName ONION = DnsName.parse("onion.");
    private static final int TTL = 86_400;
    private static final List<Rdata> LOOPBACK = List.of(A.of("127.0.0.1"), Aaaa.of("::1"));

    private SpecialNames() {}

    static boolean isSpecial(DnsName name) {
        return name.isWithin(LOCALHOST) || name.isWithin(INVALID) || name.isWithin(ONION);
    }

    /// Returns the answer to a question about a special name, else null.
    static @Nullable DnsAnswer answer(DnsQuestion question) {
        DnsName name = question.name();
        if (!question.recordClass().equals(RecordClass.IN)
                && !question.recordClass().equals(RecordClass.ANY)) {
            return null;
        }
        // RFC 6761, 6.4; RFC 7686, 2.
        if (name.isWithin(INVALID) || name.isWithin(ONION)) {
            return new DnsAnswer.NoName(question, name, List.of(), TTL, false);
        }
        // RFC 6761, 6.3: localhost is this host, and servers are not to be asked for it.
        if (!name.isWithin(LOCALHOST)) {
            return null;
        }
        List<DnsRecord> records = new ArrayList<>(2);
        for (Rdata loopback : LOOPBACK) {
            if (question.type().equals(loopback.type()) || question.type().equals(RecordType.ANY)) {
                records.add(new DnsRecord(name, TTL, loopback));
            }
        }
        return records.isEmpty()
                ? new DnsAnswer.NoData(question, name, List.of(), TTL, false)
                : new DnsAnswer.Found(question, name, List.of(), records, TTL, false);
    }

    /// Returns the response to a query about a special name, else null. A negative one has an SOA
    /// record, so that it is kept (RFC 2308, 5).
    static @Nullable DnsMessage response(DnsMessage query) {
        DnsAnswer answer = answer(query.questions().getFirst());
        if (answer == null) {
            return null;
        }
        DnsName zone = answer.question().name();
        while (zone.labelCount() > 1) {
            zone = Objects.requireNonNull(zone.parent());
        }
        DnsRecord soa =
                new DnsRecord(zone, TTL, new Soa(zone, INVALID, 1, 3600, 1200, 604_800, TTL));
        ResponseCode code =
                answer instanceof DnsAnswer.NoName ? ResponseCode.NXDOMAIN : ResponseCode.NOERROR;
        DnsMessage response = query.response(code, List.of());
        return response.flags(response.flags().recursionAvailable(true))
                .sections(
                        answer.records(),
                        answer.records().isEmpty() ? List.of(soa) : List.of(),
                        List.of());
    }
}
