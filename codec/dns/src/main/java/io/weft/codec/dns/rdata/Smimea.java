package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// An association that a certificate of S/MIME must match (RFC 8162).
public record Smimea(int usage, int selector, int matching, Octets certificate) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Smimea {
        Checks.u8("usage", usage);
        Checks.u8("selector", selector);
        Checks.u8("matching", matching);
        Checks.room(3, certificate);
        Checks.notEmpty("certificate", certificate);
    }

    @Override
    public RecordType type() {
        return RecordType.SMIMEA;
    }
}
