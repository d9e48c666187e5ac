package io.weft.http.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Finds listed header names by perfect hash: one multiplication, one comparison.
///
/// A name is folded by setting bit 5 of each byte that has bit 6. That is exact for what listed
/// names are made of: only letters fold to a letter, and nothing else folds to a digit or to "-".
/// So any bytes may be looked up, and bytes that are found are a token.
final class NameTable {
    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long BIT_6 = 0x4040404040404040L;

    /// Found by trial; the constructor checks that no two names collide.
    private static final long MULTIPLIER = 0x39e92eca90256469L;

    private static final int SHIFT = 55;

    private final byte[] ids = new byte[1 << (64 - SHIFT)];
    private final byte[] @Nullable [] names = new byte[ids.length][];

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
        if (length == 0) {
            return 0;
        }
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
            return fold((long) LONG.get(bytes, from)) & mask;
        }
        long word = 0;
        for (int i = length - 1; i >= 0; i--) {
            word = word << 8 | (bytes[from + i] & 0xFF);
        }
        return fold(word) & mask;
    }

    private static long fold(long word) {
        return word | ((word & BIT_6) >>> 1);
    }
}
