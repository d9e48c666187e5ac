package io.weft.http.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Names that one connection has sent as literals, found by the octets that it sent, so that they
/// are neither decoded nor checked again. Equal octets are equal names: padding of Huffman's code
/// has no choice.
///
/// Holds at most 64 names of at most 64 octets. A name is in one of eight places, one behind the
/// other, and takes the first of them from another name if none is free.
final class SentNames {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int SIZE = 64;
    private static final int PLACES = 8;
    private static final int LONGEST = 64;

    /// A name and its octets. `first` and `last` are eight octets each, and all of up to 16.
    private static final class Entry {
        final int head;
        final long first;
        final long last;
        final byte[] octets;
        final FieldName name;

        Entry(int head, long first, long last, byte[] octets, FieldName name) {
            this.head = head;
            this.first = first;
            this.last = last;
            this.octets = octets;
            this.name = name;
        }
    }

    private static final byte[] NONE = {};

    private final @Nullable Entry[] entries = new Entry[SIZE];

    /// Returns the name whose `length` octets are at `from`; null if it is not here.
    /// [StringLiteral#SLACK] bytes behind them may be read.
    ///
    /// @param head the octet before, which tells the length and if the code is Huffman's
    @Nullable FieldName get(int head, byte[] in, int from, int length) {
        if (length > LONGEST) {
            return null;
        }
        long first = first(in, from, length);
        long last = last(in, from, length);
        int home = slot(head, first, last);
        for (int i = 0; i < PLACES; i++) {
            Entry entry = entries[(home + i) & (SIZE - 1)];
            if (entry == null) {
                return null;
            }
            if (is(entry, head, first, last, in, from, length)) {
                return entry.name;
            }
        }
        return null;
    }

    private static boolean is(
            Entry entry, int head, long first, long last, byte[] in, int from, int length) {
        return entry.first == first
                && entry.last == last
                && entry.head == head
                && (length <= 16
                        || Arrays.equals(entry.octets, 0, length, in, from, from + length));
    }

    /// Keeps a name that was not here.
    void put(int head, byte[] in, int from, int length, FieldName name) {
        if (length > LONGEST || !name.isWellFormed()) {
            return;
        }
        long first = first(in, from, length);
        long last = last(in, from, length);
        int home = slot(head, first, last);
        int place = home;
        for (int i = 0; i < PLACES; i++) {
            int slot = (home + i) & (SIZE - 1);
            if (entries[slot] == null) {
                place = slot;
                break;
            }
        }
        byte[] octets = length <= 16 ? NONE : Arrays.copyOfRange(in, from, from + length);
        entries[place] = new Entry(head, first, last, octets, name);
    }

    private static long first(byte[] in, int from, int length) {
        long word = (long) LONG.get(in, from);
        return length >= 8 ? word : word & ~(-1L << (length * 8));
    }

    private static long last(byte[] in, int from, int length) {
        return length > 8 ? (long) LONG.get(in, from + length - 8) : 0;
    }

    private static int slot(int head, long first, long last) {
        long hash = (first + last * 31 + head) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 58);
    }
}
