package io.weft.codec;

import io.weft.buffer.Buffer;

/// Checks that bytes are UTF-8 (RFC 3629), as they arrive: it fails at the first byte with which no
/// text can go on. Of no use after that.
public final class Utf8Check {
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    /// Bytes that the current character still needs.
    private int missing;

    /// The range of the next one of them.
    private int min;

    private int max;

    public Utf8Check() {}

    /// Takes bytes [from, to) of `in`.
    ///
    /// @return the index of the first byte that is none of a text, -1 if there is none
    public int check(Buffer in, int from, int to) {
        int i = from;
        while (i < to) {
            if (missing == 0) {
                while (to - i >= 8 && (in.getLongLE(i) & NOT_ASCII) == 0) {
                    i += 8;
                }
                if (i == to) {
                    return -1;
                }
            }
            if (!take(in.getUnsignedByte(i))) {
                return i;
            }
            i++;
        }
        return -1;
    }

    private boolean take(int b) {
        if (missing == 0) {
            return begin(b);
        }
        boolean fits = b >= min && b <= max;
        missing--;
        min = 0x80;
        max = 0xBF;
        return fits;
    }

    /// The ranges exclude longer forms than needed, surrogates, and what lies above U+10FFFF.
    private boolean begin(int b) {
        if (b < 0x80) {
            return true;
        }
        min = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
        max = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
        missing = b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
        return b >= 0xC2 && b <= 0xF4;
    }

    /// Tells if the text may end here.
    public boolean isWhole() {
        return missing == 0;
    }

    /// Bytes that the last character still needs: 0 to 3.
    public int missing() {
        return missing;
    }
}
