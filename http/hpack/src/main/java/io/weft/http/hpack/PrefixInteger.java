package io.weft.http.hpack;

/// An integer that does not fit into its prefix (RFC 7541, 5.1), and may come in parts.
final class PrefixInteger {
    private long value;

    /// Bits of the value that have come behind the prefix.
    private int shift;

    private boolean whole;

    /// Begins with a prefix that is full.
    void begin(int prefix) {
        value = prefix;
        shift = 0;
        whole = false;
    }

    /// Takes octets of `in` from `from` on, until the integer or the input ends at `to`.
    ///
    /// @return the end of what was taken
    int take(byte[] in, int from, int to) {
        int at = from;
        while (at < to && !whole) {
            int b = in[at++];
            value += (long) (b & 0x7F) << shift;
            shift += 7;
            if (value > Integer.MAX_VALUE || (shift > 28 && b < 0)) {
                throw new HpackException(
                        "integer: above 2^31 - 1, or of more than 5 further octets (expected: less)");
            }
            whole = b >= 0;
        }
        return at;
    }

    /// Tells if the last octet has come.
    boolean isWhole() {
        return whole;
    }

    int value() {
        return (int) value;
    }
}
