package io.weft.buffer;

/// Looks for one needle in linear time, whatever needle and haystack are (Knuth, Morris and Pratt,
/// "Fast Pattern Matching in Strings", 1977). Goes on across pieces of the haystack.
final class KnuthMorrisPratt implements ByteProcessor {
    private final byte[] needle;

    /// For each beginning of the needle, how long the longest beginning is that also ends it,
    /// itself apart.
    private final int[] borders;

    private int matched;

    /// @param needle not empty
    KnuthMorrisPratt(byte[] needle) {
        this.needle = needle;
        this.borders = new int[needle.length + 1];
        int border = 0;
        for (int i = 1; i < needle.length; i++) {
            border = extended(border, needle[i]);
            borders[i + 1] = border;
        }
    }

    private int extended(int length, byte value) {
        while (length > 0 && needle[length] != value) {
            length = borders[length];
        }
        return needle[length] == value ? length + 1 : 0;
    }

    /// False at the needle's last byte.
    @Override
    public boolean process(byte value) {
        int length = matched == needle.length ? borders[matched] : matched;
        matched = extended(length, value);
        return matched < needle.length;
    }
}
