package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Rdata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names that servers are not asked for.
final class SpecialNames {
    private static final DnsName LOCALHOST = DnsName.parse("localhost.");
    private static final DnsName INVALID = DnsName.parse("invalid.");
    private static final DnsName ONION = DnsName.parse("onion.");
    private static final int TTL = 86_400;

    private SpecialNames() {}

    static boolean isSpecial(DnsName name) {
        return name.isWithin(LOCALHOST) || name.isWithin(INVALID) || name.isWithin(ONION);
    }

    /// Returns the answer to a question about a special name, else null.
    static @Nullable DnsAnswer answer(DnsQuestion question) {
        DnsName name = question.name();
        // RFC 6761, 6.4; RFC 7686, 2.
        if (name.isWithin(INVALID) || name.isWithin(ONION)) {
            return new DnsAnswer.NoName(question, name, List.of(), TTL, false);
        }
        // RFC 6761, 6.3: localhost is this host, and servers are not to be asked for it.
        if (!name.isWithin(LOCALHOST)) {
            return null;
        }
        Rdata loopback =
                question.type().equals(RecordType.A)
                        ? A.of("127.0.0.1")
                        : question.type().equals(RecordType.AAAA) ? Aaaa.of("::1") : null;
        if (loopback == null) {
            return new DnsAnswer.NoData(question, name, List.of(), TTL, false);
        }
        List<DnsRecord> records = List.of(new DnsRecord(name, TTL, loopback));
        return new DnsAnswer.Found(question, name, List.of(), records, TTL, false);
    }
}
