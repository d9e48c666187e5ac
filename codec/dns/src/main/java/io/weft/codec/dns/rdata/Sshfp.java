package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// The fingerprint of a key of SSH (RFC 4255).
public record Sshfp(int algorithm, int fingerprintType, Octets fingerprint) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range, or a digest of SHA-1
    ///     (1) or SHA-256 (2) has not its length
    public Sshfp {
        Checks.u8("algorithm", algorithm);
        Checks.u8("fingerprintType", fingerprintType);
        Checks.notEmpty("fingerprint", fingerprint);
        Checks.room(2, fingerprint);
        if (fingerprintType == 1 || fingerprintType == 2) {
            Checks.length("fingerprint", fingerprint, fingerprintType == 1 ? 20 : 32);
        }
    }

    @Override
    public RecordType type() {
        return RecordType.SSHFP;
    }
}
