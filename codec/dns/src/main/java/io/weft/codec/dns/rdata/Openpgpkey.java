package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A key of OpenPGP (RFC 7929).
public record Openpgpkey(Octets key) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Openpgpkey {
        Checks.notEmpty("key", key);
        Checks.room(0, key);
    }

    @Override
    public RecordType type() {
        return RecordType.OPENPGPKEY;
    }
}
