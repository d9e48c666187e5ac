package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A digest of a whole zone (RFC 8976).
///
/// @param digest of 12 octets at least
public record Zonemd(long serial, int scheme, int algorithm, Octets digest) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range, or a digest of
    ///     SHA-384 (1) or SHA-512 (2) has not its length
    public Zonemd {
        Checks.u32("serial", serial);
        Checks.u8("scheme", scheme);
        Checks.u8("algorithm", algorithm);
        Checks.range("digest octets - 12", digest.length() - 12L, MAX_LENGTH - 12);
        Checks.room(6, digest);
        if (algorithm == 1 || algorithm == 2) {
            Checks.length("digest", digest, algorithm == 1 ? 48 : 64);
        }
    }

    @Override
    public RecordType type() {
        return RecordType.ZONEMD;
    }
}
