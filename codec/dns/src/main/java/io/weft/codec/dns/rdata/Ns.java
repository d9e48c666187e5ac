package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// An authoritative server of a zone (RFC 1035, 3.3.11).
public record Ns(DnsName server) implements Rdata {
    @Override
    public RecordType type() {
        return RecordType.NS;
    }
}
