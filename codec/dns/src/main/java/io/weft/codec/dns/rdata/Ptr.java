package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// A pointer to another name (RFC 1035, 3.3.12).
public record Ptr(DnsName target) implements Rdata {
    @Override
    public RecordType type() {
        return RecordType.PTR;
    }
}
