package io.weft.http.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Finds listed header names by perfect hash: one multiplication, one comparison.
///
/// A name is folded by setting bit 5 of each byte. That is exact here: of the characters a token has, only letters fold
/// to a letter, and no other character folds to a digit or to "-", which is all that listed names are made of.
final class NameTable {
    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FOLD = 0x2020202020202020L;

    /// Found by trial; the constructor checks that no two names collide.
    private static final long MULTIPLIER = 0xfc132d0d113db17dL;

    private static final int SHIFT = 55;

    private final byte[] ids = new byte[1 << (64 - SHIFT)];
    private final byte[][] names = new byte[ids.length][];

    NameTable(HeaderName[] byId, int lastId) {
        for (int id = 1; id <= lastId; id++) {
            byte[] name = byId[id].lower;
            int slot = slot(name, 0, name.length);
            if (ids[slot] != 0) {
                throw new AssertionError(
                        byId[id] + " collides with " + byId[ids[slot]] + " (expected: no other)");
            }
            ids[slot] = (byte) id;
            names[slot] = name;
        }
    }

    int idOf(byte[] bytes, int from, int to) {
        int length = to - from;
        int slot = slot(bytes, from, length);
        byte[] name = names[slot];
        return name != null && name.length == length && foldsTo(bytes, from, name) ? ids[slot] : 0;
    }

    private static int slot(byte[] bytes, int from, int length) {
        long first = word(bytes, from, Math.min(length, 8));
        long last = length > 8 ? word(bytes, from + length - 8, 8) : 0;
        return (int) (((first + last * 31 + length) * MULTIPLIER) >>> SHIFT);
    }

    private static boolean foldsTo(byte[] bytes, int from, byte[] name) {
        int i = 0;
        for (; i + 8 < name.length; i += 8) {
            if (word(bytes, from + i, 8) != (long) LONG.get(name, i)) {
                return false;
            }
        }
        int rest = name.length - i;
        return word(bytes, from + i, rest) == word(name, i, rest);
    }

    /// `length` folded bytes, 1 to 8, in the low end of a word.
    private static long word(byte[] bytes, int from, int length) {
        long mask = -1L >>> (64 - 8 * length);
        if (from + 8 <= bytes.length) {
            return ((long) LONG.get(bytes, from) | FOLD) & mask;
        }
        long word = 0;
        for (int i = length - 1; i >= 0; i--) {
            word = word << 8 | (bytes[from + i] & 0xFF);
        }
        return (word | FOLD) & mask;
    }
}
