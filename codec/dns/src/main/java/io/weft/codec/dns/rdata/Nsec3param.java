package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// The parameters with which a zone hashes its names (RFC 5155, 4).
public record Nsec3param(int algorithm, int flags, int iterations, Octets salt) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Nsec3param {
        Checks.u8("algorithm", algorithm);
        Checks.u8("flags", flags);
        Checks.u16("iterations", iterations);
        Checks.string("salt", salt);
    }

    @Override
    public RecordType type() {
        return RecordType.NSEC3PARAM;
    }
}
