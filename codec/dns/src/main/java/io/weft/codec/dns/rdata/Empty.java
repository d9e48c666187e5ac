package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;

/// No data: of the records of class ANY and NONE that are conditions or deletions in updates (RFC
/// 2136).
public record Empty(RecordType type) implements Rdata {
    /// @throws IllegalArgumentException when no record may have the type
    public Empty {
        if (type.isMeta() && !type.equals(RecordType.ANY)) {
            throw new IllegalArgumentException("type: " + type + " (expected: one of records)");
        }
    }
}
