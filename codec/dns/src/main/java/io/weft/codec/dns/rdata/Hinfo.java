package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// The kind of a host (RFC 1035, 3.3.2; RFC 8482).
public record Hinfo(Octets cpu, Octets os) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Hinfo {
        Checks.string("cpu", cpu);
        Checks.string("os", os);
    }

    @Override
    public RecordType type() {
        return RecordType.HINFO;
    }
}
