package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// The canonical name of an alias (RFC 1035, 3.3.1).
public record Cname(DnsName target) implements Rdata {
    @Override
    public RecordType type() {
        return RecordType.CNAME;
    }
}
