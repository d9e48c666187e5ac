package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// Data of a type that has no record of its own here, or has none in the class of its record (RFC
/// 3597): that of A, AAAA, SRV, SVCB and HTTPS in classes other than IN.
public record Unknown(RecordType type, Octets data) implements Rdata {
    /// @throws IllegalArgumentException when the type has a record of its own in all classes, or is
    ///     for questions only
    public Unknown {
        if (type.isMeta() || isKnown(type)) {
            throw new IllegalArgumentException(
                    "type: " + type + " (expected: one without data of its own)");
        }
        Checks.room(0, data);
    }

    private static boolean isKnown(RecordType type) {
        return switch (type.number()) {
            case 2, 5, 6, 12, 13, 15, 16, 29, 35, 39, 43, 44, 46, 47, 48 -> true;
            case 50, 51, 52, 53, 59, 60, 61, 62, 63, 249, 250, 256, 257 -> true;
            default -> false;
        };
    }
}
