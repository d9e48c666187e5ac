package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;

/// Which authorities may issue certificates (RFC 8659).
///
/// @param flags 128: critical
/// @param tag letters and digits of ASCII
public record Caa(int flags, String tag, Octets value) implements Rdata {
    /// @throws IllegalArgumentException when a component is out of its range
    public Caa {
        Checks.u8("flags", flags);
        Checks.range("tag characters - 1", tag.length() - 1L, 254);
        for (int i = 0; i < tag.length(); i++) {
            char c = tag.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) {
                throw new IllegalArgumentException(
                        "tag: character " + (int) c + " (expected: letters and digits of ASCII)");
            }
        }
        Checks.room(2 + tag.length(), value);
    }

    public boolean isCritical() {
        return flags >= 128;
    }

    @Override
    public RecordType type() {
        return RecordType.CAA;
    }
}
