package io.weft.resolver.dns;

import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Https;
import io.weft.codec.dns.rdata.Mx;
import io.weft.codec.dns.rdata.Ns;
import io.weft.codec.dns.rdata.Ptr;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Srv;
import io.weft.codec.dns.rdata.Svcb;
import io.weft.codec.dns.rdata.Txt;

/// Bytes of the heap that records take, estimated from above.
final class HeapSize {
    /// A record, its data and its name without their octets.
    private static final int RECORD = 200;

    /// An [Octets] with an array of its own, and the place of it in a list.
    private static final int STRING = 56;

    /// The least parameter of a service has four octets, the least protocol in one two.
    private static final int PARAMETER_OCTET = 28;

    private HeapSize() {}

    static int of(DnsRecord record) {
        return RECORD + 2 * record.name().length() + octets(record.data());
    }

    private static int octets(Rdata data) {
        return switch (data) {
            case A _, Aaaa _ -> 64;
            case Cname d -> d.target().length();
            case Ns d -> d.server().length();
            case Ptr d -> d.target().length();
            case Mx d -> d.exchange().length();
            case Srv d -> d.target().length();
            case Txt d -> {
                int size = 0;
                for (Octets string : d.strings()) {
                    size += STRING + string.length();
                }
                yield size;
            }
            case Svcb _, Https _ -> PARAMETER_OCTET * RdataFormat.encode(data).length();
            default -> 2 * RdataFormat.encode(data).length();
        };
    }
}
