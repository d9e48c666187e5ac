package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;

/// The record types that a parent shall copy from its child (RFC 7477).
///
/// @param flags 1: at once; 2: the serial must be at least this one
public record Csync(long serial, int flags, TypeBitmap types) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Csync {
        Checks.u32("serial", serial);
        Checks.u16("flags", flags);
    }

    @Override
    public RecordType type() {
        return RecordType.CSYNC;
    }
}
