package io.weft.codec.dns;

import java.util.Arrays;

/// The names of one message that pointers can lead to, by a hash of their octets: an open-addressed
/// table that every message of an encoder uses anew, without clearing it.
///
/// A look-up ends after [#PROBES] places and the table takes no more when it is three quarters
/// full, so that no choice of names costs more than a constant each. Letters in different cases are
/// different: a pointer gives back just what was written.
final class NameTable {
    private static final int SLOTS = 1024;
    private static final int FULL = SLOTS / 4 * 3;
    private static final int PROBES = 8;

    /// Pointers have 14 bits.
    private static final int MAX_OFFSET = 0x3FFF;

    private static final int MAX_GENERATION = 0xFFFF;

    /// Hash, number of the message, offset: 32, 16 and 16 bits.
    private final long[] table = new long[SLOTS];

    private int generation;
    private int size;

    /// Forgets all names.
    void reset() {
        size = 0;
        if (++generation > MAX_GENERATION) {
            Arrays.fill(table, 0);
            generation = 1;
        }
    }

    /// Remembers the name at `offset`, which is not there yet.
    void add(int hash, int offset) {
        if (offset > MAX_OFFSET || size == FULL) {
            return;
        }
        int slot = hash;
        for (int i = 0; i < PROBES; i++, slot++) {
            if ((table[slot & (SLOTS - 1)] >>> 16 & 0xFFFF) != generation) {
                table[slot & (SLOTS - 1)] = (long) hash << 32 | (long) generation << 16 | offset;
                size++;
                return;
            }
        }
    }

    /// Returns the offset of a name that equals the octets of `name` from `at` on.
    ///
    /// @param message the octets written so far
    /// @return -1 when there is none
    int find(int hash, byte[] name, int at, byte[] message) {
        long wanted = (long) hash << 16 | generation;
        int slot = hash;
        for (int i = 0; i < PROBES; i++, slot++) {
            long entry = table[slot & (SLOTS - 1)];
            if (entry >> 16 == wanted) {
                int offset = (int) entry & 0xFFFF;
                if (isAt(message, offset, name, at)) {
                    return offset;
                }
            } else if ((entry >>> 16 & 0xFFFF) != generation) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isAt(byte[] message, int offset, byte[] name, int at) {
        int m = offset;
        int n = at;
        while (true) {
            int length = message[m] & 0xFF;
            if (length >= 0xC0) {
                m = (length & 0x3F) << 8 | (message[m + 1] & 0xFF);
                continue;
            }
            if (length != name[n]) {
                return false;
            }
            if (length == 0) {
                return true;
            }
            for (int i = 1; i <= length; i++) {
                if (message[m + i] != name[n + i]) {
                    return false;
                }
            }
            m += length + 1;
            n += length + 1;
        }
    }
}
