package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// Data of a type that has no record of its own here (RFC 3597).
public record Unknown(RecordType type, Octets data) implements Rdata {
    /// @throws IllegalArgumentException when the type has a record of its own, or is for questions
    ///     only
    public Unknown {
        if (type.isMeta() || isKnown(type)) {
            throw new IllegalArgumentException(
                    "type: " + type + " (expected: one without data of its own)");
        }
        Checks.room(0, data);
    }

    private static boolean isKnown(RecordType type) {
        return switch (type.number()) {
            case 1, 2, 5, 6, 12, 13, 15, 16, 28, 29, 33, 35, 39, 43, 44, 46, 47, 48 -> true;
            case 50, 51, 52, 53, 59, 60, 61, 62, 63, 64, 65, 249, 250, 256, 257 -> true;
            default -> false;
        };
    }
}
