package io.weft.http.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Encodes strings by the code of RFC 7541, Appendix B.
final class HuffmanEncoder {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /// For each symbol its code, and the code's length above it.
    private static final long[] CODES = new long[256];

    static {
        for (int symbol = 0; symbol < 256; symbol++) {
            CODES[symbol] = HuffmanCode.CODES[symbol] | (long) HuffmanCode.LENGTHS[symbol] << 32;
        }
    }

    private HuffmanEncoder() {}

    /// Returns the length of the encoded string, in bytes.
    static int length(byte[] in, int length) {
        long bits = 0;
        for (int i = 0; i < length; i++) {
            bits += HuffmanCode.LENGTHS[in[i] & 0xFF];
        }
        return (int) ((bits + 7) >>> 3);
    }

    /// Encodes [0, length) of `in` to `out` from `at` on.
    ///
    /// @return the end of the output
    static int encode(byte[] in, int length, byte[] out, int at) {
        long word = 0;
        int bits = 0;
        int to = at;
        for (int i = 0; i < length; i++) {
            long code = CODES[in[i] & 0xFF];
            int more = (int) (code >>> 32);
            word = word << more | (code & 0xFFFF_FFFFL);
            bits += more;
            if (bits >= 32) {
                bits -= 32;
                INT.set(out, to, (int) (word >>> bits));
                to += 4;
            }
        }
        // RFC 7541, 5.2: padded with the beginning of EOS, which is ones.
        int padding = -bits & 7;
        word = word << padding | ((1L << padding) - 1);
        for (bits += padding; bits > 0; bits -= 8) {
            out[to++] = (byte) (word >>> (bits - 8));
        }
        return to;
    }
}
