package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A digest of a child's key (RFC 4034, 5).
public record Ds(int keyTag, int algorithm, int digestType, Octets digest) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range, or a digest of SHA-1
    ///     (1), SHA-256 (2) or SHA-384 (4) has not its length
    public Ds {
        Checks.u16("keyTag", keyTag);
        Checks.u8("algorithm", algorithm);
        Checks.u8("digestType", digestType);
        Checks.notEmpty("digest", digest);
        Checks.room(4, digest);
        switch (digestType) {
            case 1 -> Checks.length("digest", digest, 20);
            case 2 -> Checks.length("digest", digest, 32);
            case 4 -> Checks.length("digest", digest, 48);
            default -> {}
        }
    }

    @Override
    public RecordType type() {
        return RecordType.DS;
    }
}
