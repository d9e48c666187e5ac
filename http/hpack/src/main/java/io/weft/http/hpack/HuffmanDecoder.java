package io.weft.http.hpack;

import static io.weft.http.hpack.HuffmanCode.MAX_LENGTH;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Decodes one Huffman-coded string at a time, which may come in parts.
///
/// Bits wait in the high end of a word. Its highest twelve say, by one look at a table, which one
/// or two symbols they begin with; codes longer than that are found by comparing with the last code
/// of each length.
final class HuffmanDecoder {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int LOOKUP = 12;

    /// Lookups that a full word has bits for, whatever the codes.
    private static final int FULL = 4 * LOOKUP;

    /// From the low end: the bits of the symbols (6 bits and 2 spare ones, so that it is the count
    /// of a shift as it is); a symbol, and the next; how many symbols there are, 1 or 2 (4 bits);
    /// the bits of the first. Zero when the first code is longer than the lookup.
    private static final int[] TABLE = new int[1 << LOOKUP];

    static {
        for (int bits = 0; bits < TABLE.length; bits++) {
            int first = symbol(bits);
            if (first >= 0) {
                int used = HuffmanCode.LENGTHS[first];
                int second = symbol(bits << used & (TABLE.length - 1));
                int both = second < 0 ? LOOKUP + 1 : used + HuffmanCode.LENGTHS[second];
                TABLE[bits] =
                        both > LOOKUP
                                ? used | first << 8 | 1 << 24 | used << 28
                                : both | first << 8 | second << 16 | 2 << 24 | used << 28;
            }
        }
    }

    /// The bits that wait, from the highest on; the others are zero.
    private long word;

    private int bits;

    /// The symbol whose code `lookup` begins with, or -1 when that is longer.
    private static int symbol(int lookup) {
        int code = lookup << (MAX_LENGTH - LOOKUP);
        for (int length = HuffmanCode.MIN_LENGTH; length <= LOOKUP; length++) {
            if (code < HuffmanCode.BEHIND[length]) {
                return symbol(code, length);
            }
        }
        return -1;
    }

    private static int symbol(int code, int length) {
        int at = (code - HuffmanCode.FIRST[length]) >>> (MAX_LENGTH - length);
        return HuffmanCode.SYMBOLS[HuffmanCode.OFFSETS[length] + at];
    }

    /// Returns how many bytes of output `length` more bytes of input may make, with a spare one
    /// that [#decode] needs.
    static int most(int length) {
        return (length * 8 + MAX_LENGTH) / HuffmanCode.MIN_LENGTH + 2;
    }

    /// Decodes a string of which all bytes, [at, end) of `in`, have come, to the beginning of
    /// `out`, where there is room for [#most]. Nothing may wait.
    ///
    /// Bits behind the end are taken for ones: no code is made of ones alone, so a lookup that
    /// meets them finds nothing, and the loop needs no look at each code's end.
    ///
    /// @param in where [StringLiteral#SLACK] bytes behind the end may be read
    /// @return the end of the output
    int whole(byte[] in, int at, int end, byte[] out) {
        int total = (end - at) << 3;
        int used = 0;
        int to = 0;
        while (true) {
            long w = word(in, at, used, total);
            int one = TABLE[(int) (w >>> (64 - LOOKUP))];
            w <<= one;
            int two = TABLE[(int) (w >>> (64 - LOOKUP))];
            w <<= two;
            int three = TABLE[(int) (w >>> (64 - LOOKUP))];
            w <<= three;
            int four = TABLE[(int) (w >>> (64 - LOOKUP))];
            SHORT.set(out, to, (short) (one >>> 8));
            to += one >>> 24 & 15;
            SHORT.set(out, to, (short) (two >>> 8));
            to += two >>> 24 & 15;
            SHORT.set(out, to, (short) (three >>> 8));
            to += three >>> 24 & 15;
            SHORT.set(out, to, (short) (four >>> 8));
            to += four >>> 24 & 15;
            used += (one & 63) + (two & 63) + (three & 63) + (four & 63);
            if (used >= total) {
                break;
            }
            if (four == 0) {
                if (total - used < 8) {
                    return to;
                }
                long code = word(in, at, used, total);
                int length = longCode(code, total - used);
                if (length > total - used) {
                    break;
                }
                out[to++] = (byte) symbol((int) (code >>> (64 - MAX_LENGTH)), length);
                used += length;
            }
        }
        // What was left is no padding: it is said in the same way as for a string that comes in
        // parts.
        return used == total ? to : end(out, decode(in, at, end, out, 0));
    }

    /// The bits from `used` on, at least 57 of them, in the high end of a word.
    private static long word(byte[] in, int at, int used, int total) {
        long w = (long) LONG.get(in, at + (used >>> 3)) << (used & 7);
        return w | -1L >>> Math.min(total - used, 63);
    }

    /// Decodes bytes [at, end) of `in` into `out` from `count` on, where there is room for
    /// [#most].
    ///
    /// @return the end of the output
    int decode(byte[] in, int at, int end, byte[] out, int count) {
        long w = word;
        int n = bits;
        int from = at;
        int to = count;
        while (true) {
            if (in.length - from >= 8) {
                // As many whole bytes as there is room for; the bits of a byte that is not counted
                // are the same when they are added again, or those behind the end, which nothing
                // looks at.
                w |= (long) LONG.get(in, from) >>> n;
                int bytes = Math.min((63 - n) >>> 3, end - from);
                from += bytes;
                n += bytes << 3;
            } else {
                while (n <= 56 && from < end) {
                    w |= (in[from++] & 0xFFL) << (56 - n);
                    n += 8;
                }
            }
            if (n >= FULL) {
                int one = TABLE[(int) (w >>> (64 - LOOKUP))];
                w <<= one;
                int two = TABLE[(int) (w >>> (64 - LOOKUP))];
                w <<= two;
                int three = TABLE[(int) (w >>> (64 - LOOKUP))];
                w <<= three;
                int four = TABLE[(int) (w >>> (64 - LOOKUP))];
                w <<= four;
                // A code that is too long has consumed nothing, nor has what follows it.
                SHORT.set(out, to, (short) (one >>> 8));
                to += one >>> 24 & 15;
                SHORT.set(out, to, (short) (two >>> 8));
                to += two >>> 24 & 15;
                SHORT.set(out, to, (short) (three >>> 8));
                to += three >>> 24 & 15;
                SHORT.set(out, to, (short) (four >>> 8));
                to += four >>> 24 & 15;
                n -= (one & 63) + (two & 63) + (three & 63) + (four & 63);
            }
            while (n >= LOOKUP) {
                int entry = TABLE[(int) (w >>> (64 - LOOKUP))];
                if (entry != 0) {
                    SHORT.set(out, to, (short) (entry >>> 8));
                    to += entry >>> 24 & 15;
                    w <<= entry;
                    n -= entry & 63;
                    continue;
                }
                int used = longCode(w, n);
                if (used > n) {
                    break;
                }
                out[to++] = (byte) symbol((int) (w >>> (64 - MAX_LENGTH)), used);
                w <<= used;
                n -= used;
            }
            if (from == end) {
                word = n == 0 ? 0 : w & (-1L << (64 - n));
                bits = n;
                return to;
            }
        }
    }

    /// The length of the code that `w` begins with; more than `n` when not all of it is there.
    private static int longCode(long w, int n) {
        int code = (int) (w >>> (64 - MAX_LENGTH));
        for (int length = LOOKUP + 1; length < MAX_LENGTH; length++) {
            if (code < HuffmanCode.BEHIND[length]) {
                return length;
            }
        }
        // RFC 7541, 5.2: EOS inside a string is an error.
        if (n >= MAX_LENGTH && code == HuffmanCode.CODES[HuffmanCode.EOS]) {
            throw new HpackException("Huffman code: EOS (expected: none in a string)");
        }
        return MAX_LENGTH;
    }

    /// Ends the string: writes the symbols that wait to `out` from `count` on and checks what is
    /// left.
    ///
    /// @return the end of the output
    int end(byte[] out, int count) {
        long w = word;
        int n = bits;
        int to = count;
        word = 0;
        bits = 0;
        while (n > 0) {
            int entry = TABLE[(int) (w >>> (64 - LOOKUP))];
            int used = entry >>> 28;
            if (used == 0 || used > n) {
                break;
            }
            out[to++] = (byte) (entry >>> 8);
            w <<= used;
            n -= used;
        }
        // RFC 7541, 5.2: padding is the beginning of EOS, which is ones, and shorter than a byte.
        if (n > 7 || (n > 0 && w >>> (64 - n) != (1L << n) - 1)) {
            throw new HpackException(
                    "Huffman padding: "
                            + n
                            + (n > 7 ? " bits (expected: at most 7)" : " bits (expected: ones)"));
        }
        return to;
    }
}
