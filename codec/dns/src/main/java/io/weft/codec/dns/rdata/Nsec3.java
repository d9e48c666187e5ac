package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// The next hashed name of a zone, and the types at this one (RFC 5155, 3).
///
/// @param flags 1: unsigned delegations may be left out
public record Nsec3(
        int algorithm, int flags, int iterations, Octets salt, Octets next, TypeBitmap types)
        implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Nsec3 {
        Checks.u8("algorithm", algorithm);
        Checks.u8("flags", flags);
        Checks.u16("iterations", iterations);
        Checks.string("salt", salt);
        Checks.string("next", next);
        Checks.notEmpty("next", next);
    }

    @Override
    public RecordType type() {
        return RecordType.NSEC3;
    }
}
