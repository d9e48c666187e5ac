package io.weft.codec.dns.rdata;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/// A set of types, as NSEC and others have it (RFC 4034, 4.1.2).
///
/// @param octets windows of bits, each behind its number and its length
public record TypeBitmap(Octets octets) {
    /// No types.
    public static final TypeBitmap EMPTY = new TypeBitmap(Octets.EMPTY);

    /// @throws IllegalArgumentException unless windows ascend and none has a zero octet at its end
    public TypeBitmap {
        int last = -1;
        for (int at = 0; at < octets.length(); ) {
            if (octets.length() - at < 3) {
                throw bad("a window of " + (octets.length() - at), "at least 3 octets");
            }
            int window = octets.get(at);
            int length = octets.get(at + 1);
            if (window <= last) {
                throw bad("window " + window + " behind " + last, "in ascending order");
            }
            if (length == 0 || length > 32 || length > octets.length() - at - 2) {
                throw bad("a window of " + length, "1 to 32 octets, and all of them there");
            }
            if (octets.get(at + 1 + length) == 0) {
                throw bad("a window that ends with 0", "an octet with a bit");
            }
            last = window;
            at += 2 + length;
        }
    }

    private static IllegalArgumentException bad(String what, String expected) {
        return new IllegalArgumentException("types: " + what + " (expected: " + expected + ")");
    }

    public static TypeBitmap of(RecordType... types) {
        return of(List.of(types));
    }

    public static TypeBitmap of(Collection<RecordType> types) {
        TreeMap<Integer, byte[]> windows = new TreeMap<>();
        for (RecordType type : types) {
            int n = type.number();
            byte[] bits = windows.computeIfAbsent(n >> 8, _ -> new byte[32]);
            bits[(n & 0xFF) >> 3] |= (byte) (0x80 >> (n & 7));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        windows.forEach(
                (window, bits) -> {
                    int length = 32;
                    while (bits[length - 1] == 0) {
                        length--;
                    }
                    out.write(window);
                    out.write(length);
                    out.write(bits, 0, length);
                });
        return new TypeBitmap(Octets.of(out.toByteArray()));
    }

    public boolean isEmpty() {
        return octets.length() == 0;
    }

    public boolean contains(RecordType type) {
        int n = type.number();
        for (int at = 0; at < octets.length(); at += 2 + octets.get(at + 1)) {
            if (octets.get(at) == n >> 8) {
                int index = (n & 0xFF) >> 3;
                return index < octets.get(at + 1)
                        && (octets.get(at + 2 + index) & (0x80 >> (n & 7))) != 0;
            }
        }
        return false;
    }

    /// The types, in ascending order.
    public List<RecordType> types() {
        List<RecordType> types = new ArrayList<>();
        for (int at = 0; at < octets.length(); at += 2 + octets.get(at + 1)) {
            for (int bit = 0; bit < 8 * octets.get(at + 1); bit++) {
                if ((octets.get(at + 2 + (bit >> 3)) & (0x80 >> (bit & 7))) != 0) {
                    types.add(RecordType.of(octets.get(at) << 8 | bit));
                }
            }
        }
        return List.copyOf(types);
    }

    /// The mnemonics of the types, as in `A MX`.
    @Override
    public String toString() {
        return String.join(" ", types().stream().map(RecordType::toString).toList());
    }
}
