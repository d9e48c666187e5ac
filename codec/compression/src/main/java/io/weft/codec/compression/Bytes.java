package io.weft.codec.compression;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Several bytes of an array at once: as numbers that begin with the least byte, compared, copied.
final class Bytes {
    /// Bytes that must follow in the arrays of [#copy16], [#copy24] and [#copyMatch], which copy in
    /// steps.
    static final int SLACK = 24;

    private static final int STEP = Long.BYTES;

    /// Longer copies than this are left to the JDK, which needs a while to begin but takes longer
    /// steps.
    private static final int LONG = 64;

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG_LONG = view(long[].class);

    private Bytes() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    static int getInt(byte[] in, int at) {
        return (int) INT.get(in, at);
    }

    static int getUnsignedShort(byte[] in, int at) {
        return (short) SHORT.get(in, at) & 0xFFFF;
    }

    static void putShort(byte[] out, int at, int value) {
        SHORT.set(out, at, (short) value);
    }

    static long getLong(byte[] in, int at) {
        return (long) LONG_LONG.get(in, at);
    }

    static void copy8(byte[] in, int from, byte[] out, int to) {
        LONG_LONG.set(out, to, (long) LONG_LONG.get(in, from));
    }

    /// Returns the length of the common prefix of the bytes at `before` and the later ones at `at`;
    /// reads none from `end` on.
    static int common(byte[] in, int before, int at, int end) {
        int i = 0;
        for (; at + i <= end - STEP; i += STEP) {
            long difference = getLong(in, before + i) ^ getLong(in, at + i);
            if (difference != 0) {
                return i + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
        }
        while (at + i < end && in[before + i] == in[at + i]) {
            i++;
        }
        return i;
    }

    static void copy16(byte[] in, int from, byte[] out, int to) {
        copy8(in, from, out, to);
        copy8(in, from + STEP, out, to + STEP);
    }

    /// As [#copyMatch], of up to 24 bytes that were there 8 bytes before, or more.
    static void copy24(byte[] in, int to, int distance) {
        int from = to - distance;
        copy8(in, from, in, to);
        copy8(in, from + STEP, in, to + STEP);
        copy8(in, from + 2 * STEP, in, to + 2 * STEP);
    }

    /// Copies what `distance` bytes before `to` begins, byte after byte, as matches that overlap
    /// themselves mean it, and writes up to [#SLACK] bytes more.
    static void copyMatch(byte[] in, int to, int distance, int length) {
        if (length > LONG && distance >= length) {
            System.arraycopy(in, to - distance, in, to, length);
            return;
        }
        int end = to + length;
        int i = to;
        int back = distance;
        if (distance < STEP) {
            for (; i < to + STEP; i++) {
                in[i] = in[i - distance];
            }
            // What repeats itself after `distance` bytes does so after any multiple of them.
            back = (distance + STEP - 1) / distance * distance;
        }
        for (; i < end; i += STEP) {
            copy8(in, i - back, in, i);
        }
    }
}
