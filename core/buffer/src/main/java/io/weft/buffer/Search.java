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

    /// Bytes that may be compared in vain before it is worth making a table.
    private static final int PATIENCE = 256;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Search() {}

    /// Non-zero if and only if `x` has a zero byte; the lowest set bit is in the first of them.
    private static long zeroBytes(long x) {
        return (x - ONES) & ~x & HIGHS;
    }

    /// @param base the index that `address` has; returned indices count from it
    static int indexOf(long start, int length, byte value, int base) {
        long address = Memory.bounded(start);
        long pattern = (value & 0xFFL) * ONES;
        int i = 0;
        for (; i <= length - 8; i += 8) {
            long x = Memory.getLongLE(address + i) ^ pattern;
            long found = zeroBytes(x);
            if (found != 0) {
                return base + i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        if (i == length) {
            return -1;
        }
        if (length >= 8) {
            // The last eight bytes again, of which the first have no match.
            long x = Memory.getLongLE(address + length - 8) ^ pattern;
            long found = zeroBytes(x);
            return found == 0 ? -1 : base + length - 8 + (Long.numberOfTrailingZeros(found) >>> 3);
        }
        return indexInShort(address, length, value, pattern, base);
    }

    /// In fewer than eight bytes.
    private static int indexInShort(long address, int length, byte value, long pattern, int base) {
        if (length >= 4) {
            // The first four and the last four bytes, which may have some in common.
            long low = Memory.getIntLE(address) & 0xFFFF_FFFFL;
            long high = (long) Memory.getIntLE(address + length - 4) << 32;
            long x = (low | high) ^ pattern;
            long found = zeroBytes(x);
            if (found == 0) {
                return -1;
            }
            int i = Long.numberOfTrailingZeros(found) >>> 3;
            return base + (i < 4 ? i : i + length - 8);
        }
        for (int i = 0; i < length; i++) {
            if (Memory.getByte(address + i) == value) {
                return base + i;
            }
        }
        return -1;
    }

    static int lastIndexOf(long start, int length, byte value, int base) {
        long address = Memory.bounded(start);
        long pattern = (value & 0xFFL) * ONES;
        int i = length;
        for (; i >= 8; i -= 8) {
            long x = Memory.getLongLE(address + i - 8) ^ pattern;
            if (zeroBytes(x) != 0) {
                // Unlike the test for any, this one is exact in every byte: its sums do not carry.
                long found = ~(((x & ~HIGHS) + ~HIGHS) | x | ~HIGHS);
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

    /// Looks for the first byte and compares the rest. That is quick as long as few places begin
    /// like the needle; when bytes compared in vain exceed those passed by far, what is left is
    /// searched in linear time whatever it is.
    static int indexOf(long address, int length, byte[] needle, int base) {
        if (needle.length == 0) {
            return base;
        }
        int ends = length - needle.length + 1;
        long inVain = 0;
        for (int i = 0; i < ends; i++) {
            i = indexOf(address + i, ends - i, needle[0], i);
            if (i < 0) {
                return -1;
            }
            int same = commonLength(address + i, needle);
            if (same == needle.length) {
                return base + i;
            }
            inVain += same;
            if (inVain > PATIENCE + 4L * i) {
                return indexOfInLinearTime(address, i + 1, length, needle, base);
            }
        }
        return -1;
    }

    private static int indexOfInLinearTime(
            long address, int from, int length, byte[] needle, int base) {
        KnuthMorrisPratt search = new KnuthMorrisPratt(needle);
        for (int i = from; i < length; i++) {
            if (!search.process(Memory.getByte(address + i))) {
                return base + i - needle.length + 1;
            }
        }
        return -1;
    }

    private static int commonLength(long address, byte[] bytes) {
        int i = 0;
        for (; i <= bytes.length - 8; i += 8) {
            long differ = Memory.getLongLE(address + i) ^ (long) LONG.get(bytes, i);
            if (differ != 0) {
                return i + (Long.numberOfTrailingZeros(differ) >>> 3);
            }
        }
        while (i < bytes.length && Memory.getByte(address + i) == bytes[i]) {
            i++;
        }
        return i;
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
