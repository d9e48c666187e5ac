package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// The name that a subtree is redirected to (RFC 6672).
public record Dname(DnsName target) implements Rdata {
    @Override
    public RecordType type() {
        return RecordType.DNAME;
    }
}
