package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A rule of the naming authority (RFC 3403).
public record Naptr(
        int order,
        int preference,
        Octets flags,
        Octets services,
        Octets regexp,
        DnsName replacement)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Naptr {
        Checks.u16("order", order);
        Checks.u16("preference", preference);
        Checks.string("flags", flags);
        Checks.string("services", services);
        Checks.string("regexp", regexp);
    }

    @Override
    public RecordType type() {
        return RecordType.NAPTR;
    }
}
