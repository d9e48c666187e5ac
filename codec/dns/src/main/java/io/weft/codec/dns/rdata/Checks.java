package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;

/// Ranges of components.
final class Checks {
    private Checks() {}

    static void u8(String what, int value) {
        range(what, value, 0xFF);
    }

    static void u16(String what, int value) {
        range(what, value, 0xFFFF);
    }

    static void u32(String what, long value) {
        range(what, value, 0xFFFF_FFFFL);
    }

    static void range(String what, long value, long max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: 0 to " + max + ")");
        }
    }

    /// A character-string (RFC 1035, 3.3).
    static void string(String what, Octets value) {
        range(what + " octets", value.length(), 0xFF);
    }

    static void notEmpty(String what, Octets value) {
        if (value.length() == 0) {
            throw new IllegalArgumentException(what + " octets: 0 (expected: at least 1)");
        }
    }

    /// @param used by what else is in the data
    static void room(int used, Octets... parts) {
        long length = used;
        for (Octets part : parts) {
            length += part.length();
        }
        range("data octets", length, Rdata.MAX_LENGTH);
    }

    /// Digests whose length an algorithm fixes.
    static void length(String what, Octets value, int expected) {
        if (value.length() != expected) {
            throw new IllegalArgumentException(
                    what + " octets: " + value.length() + " (expected: " + expected + ")");
        }
    }
}
