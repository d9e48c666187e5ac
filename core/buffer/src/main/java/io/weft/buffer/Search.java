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
