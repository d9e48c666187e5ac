package io.weft.buffer;

import io.weft.ffi.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Finds bytes eight at a time: a word holds the byte where `word ^ pattern` has a zero byte, and
/// `(x - 0x01..) & ~x & 0x80..` is non-zero exactly then, its lowest set bit at the first such byte
/// (H. S. Warren, Hacker's Delight, 6-1).
final class Search {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Search() {}

    /// @param base the index that `address` has; returned indices count from it
    static int indexOf(long address, int length, byte value, int base) {
        long pattern = (value & 0xFFL) * ONES;
        int i = 0;
        for (; i <= length - 8; i += 8) {
            long x = Memory.getLongLE(address + i) ^ pattern;
            long found = (x - ONES) & ~x & HIGHS;
            if (found != 0) {
                return base + i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; i < length; i++) {
            if (Memory.getByte(address + i) == value) {
                return base + i;
            }
        }
        return -1;
    }

    static int lastIndexOf(long address, int length, byte value, int base) {
        long pattern = (value & 0xFFL) * ONES;
        int i = length;
        for (; i >= 8; i -= 8) {
            long x = Memory.getLongLE(address + i - 8) ^ pattern;
            // Unlike the test for the first, this one is exact in every byte: its sums do not
            // carry.
            long found = ~(((x & ~HIGHS) + ~HIGHS) | x | ~HIGHS);
            if (found != 0) {
                return base + i - 1 - (Long.numberOfLeadingZeros(found) >>> 3);
            }
        }
        for (; i > 0; i--) {
            if (Memory.getByte(address + i - 1) == value) {
                return base + i - 1;
            }
        }
        return -1;
    }

    /// Takes a comparison of the needle for each occurrence of its first byte.
    static int indexOf(long address, int length, byte[] needle, int base) {
        if (needle.length == 0) {
            return base;
        }
        int ends = length - needle.length + 1;
        for (int i = 0; i < ends; i++) {
            i = indexOf(address + i, ends - i, needle[0], i);
            if (i < 0) {
                return -1;
            }
            if (equals(address + i, needle, 0, needle.length)) {
                return base + i;
            }
        }
        return -1;
    }

    /// Compares short runs, where setting up a vector loop would cost more than the comparison.
    static boolean equals(long address, byte[] bytes, int offset, int length) {
        int i = 0;
        for (; i <= length - 8; i += 8) {
            if (Memory.getLongLE(address + i) != (long) LONG.get(bytes, offset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (Memory.getByte(address + i) != bytes[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
