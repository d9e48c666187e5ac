package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// A key whose digest the parent shall have (RFC 7344).
///
/// @param flags 256: a zone's key; 1: a secure entry point; 128: revoked
/// @param protocol 3
public record Cdnskey(int flags, int protocol, int algorithm, Octets key) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Cdnskey {
        Checks.u16("flags", flags);
        Checks.u8("protocol", protocol);
        Checks.u8("algorithm", algorithm);
        Checks.notEmpty("key", key);
        Checks.room(4, key);
    }

    @Override
    public RecordType type() {
        return RecordType.CDNSKEY;
    }
}
