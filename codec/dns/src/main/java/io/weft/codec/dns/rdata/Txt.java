package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import java.util.List;
import java.util.stream.Stream;

/// Texts (RFC 1035, 3.3.14).
///
/// @param strings one at least, each of up to 255 octets
public record Txt(List<Octets> strings) implements Rdata {
    /// @throws IllegalArgumentException when there is none, or when one or all are too long
    public Txt {
        strings = List.copyOf(strings);
        if (strings.isEmpty()) {
            throw new IllegalArgumentException("strings: 0 (expected: at least 1)");
        }
        long length = 0;
        for (Octets string : strings) {
            Checks.string("string", string);
            length += 1 + string.length();
        }
        Checks.range("data octets", length, MAX_LENGTH);
    }

    /// One string for each of `texts`, in UTF-8.
    public static Txt of(String... texts) {
        return new Txt(Stream.of(texts).map(Octets::ofText).toList());
    }

    @Override
    public RecordType type() {
        return RecordType.TXT;
    }
}
