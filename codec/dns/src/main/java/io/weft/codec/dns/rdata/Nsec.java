package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;

/// The next name of a zone, and the types at this one (RFC 4034, 4).
///
/// @param types one at least
public record Nsec(DnsName next, TypeBitmap types) implements Rdata {
    /// @throws IllegalArgumentException when there are no types
    public Nsec {
        if (types.isEmpty()) {
            throw new IllegalArgumentException("types: 0 (expected: at least 1)");
        }
    }

    @Override
    public RecordType type() {
        return RecordType.NSEC;
    }
}
