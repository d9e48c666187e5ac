package io.weft.codec.dns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes one message after the other into one array: numbers, octets and names, which it
/// compresses.
///
/// An array, not the buffer that the message goes into: names are compared with what was written,
/// counts are set behind their records, and what is too long is taken back, octet by octet. One
/// copy at the end costs less.
final class WireWriter {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int INITIAL = 512;

    /// Octets of memory that are kept from one message to the next.
    private static final int KEPT = 8192;

    private static final int MAX_LABELS = 127;
    private static final int RECENT = 4;
    private static final int MAX_OFFSET = 0x3FFF;

    private byte[] array = new byte[INITIAL];
    private int at;

    /// Null where nothing is compressed.
    private @Nullable NameTable names;

    private int[] starts = {};
    private int[] hashes = {};

    /// The last names and where they stand: sets of records have one name, and often one object.
    private final @Nullable DnsName[] recent = new @Nullable DnsName[RECENT];

    private final int[] recentAt = new int[RECENT];
    private int nextRecent;

    /// Begins a message.
    void begin() {
        if (names == null) {
            names = new NameTable();
            starts = new int[MAX_LABELS];
            hashes = new int[MAX_LABELS];
        }
        names.reset();
        Arrays.fill(recent, null);
        at = 0;
        if (array.length > KEPT) {
            array = new byte[INITIAL];
        }
    }

    /// All octets, which become the caller's with the array.
    Octets written() {
        Octets all = new Octets(array, 0, at);
        array = new byte[0];
        at = 0;
        return all;
    }

    byte[] array() {
        return array;
    }

    int at() {
        return at;
    }

    /// Takes back what was written from `offset` on. Only what is not compressed may follow.
    void truncate(int offset) {
        at = offset;
    }

    private int take(int octets) {
        int from = at;
        if (octets > array.length - from) {
            array = Arrays.copyOf(array, Math.max(2 * array.length, from + octets));
        }
        at = from + octets;
        return from;
    }

    void u8(int value) {
        int from = take(1);
        array[from] = (byte) value;
    }

    void u16(int value) {
        int from = take(2);
        SHORT.set(array, from, (short) value);
    }

    void i32(int value) {
        int from = take(4);
        INT.set(array, from, value);
    }

    void i64(long value) {
        int from = take(8);
        LONG.set(array, from, value);
    }

    void set16(int offset, int value) {
        SHORT.set(array, offset, (short) value);
    }

    void octets(Octets octets) {
        int from = take(octets.length());
        octets.copyTo(array, from);
    }

    void zeros(int count) {
        int from = take(count);
        Arrays.fill(array, from, from + count, (byte) 0);
    }

    /// A character-string.
    void string(Octets string) {
        u8(string.length());
        octets(string);
    }

    /// Octets behind their length in two.
    void counted(Octets octets) {
        u16(octets.length());
        octets(octets);
    }

    /// Room for a length, which [#lengthSince] writes.
    int reserve() {
        return take(2);
    }

    void lengthSince(int reserved) {
        SHORT.set(array, reserved, (short) (at - reserved - 2));
    }

    /// A name without compression, to which no pointer leads either.
    void plainName(DnsName name) {
        int from = take(name.length());
        name.copyTo(array, from);
    }

    /// A name, compressed where it can be.
    void name(DnsName name) {
        NameTable table = names;
        if (table == null || name.isRoot()) {
            plainName(name);
            return;
        }
        for (int i = 0; i < RECENT; i++) {
            if (recent[i] == name) {
                u16(0xC000 | recentAt[i]);
                return;
            }
        }
        byte[] wire = name.array();
        int offset = name.offset();
        int labels = hash(wire, offset);
        int here = at;
        int label = 0;
        int found = -1;
        for (; label < labels; label++) {
            found = table.find(hashes[label], wire, starts[label], array);
            if (found >= 0) {
                break;
            }
        }
        int literal = found >= 0 ? starts[label] - offset : name.length();
        int from = take(found >= 0 ? literal + 2 : literal);
        System.arraycopy(wire, offset, array, from, literal);
        if (found >= 0) {
            SHORT.set(array, from + literal, (short) (0xC000 | found));
        }
        for (int i = 0; i < label; i++) {
            table.add(hashes[i], here + starts[i] - offset);
        }
        int stands = label == 0 ? found : here;
        if (stands <= MAX_OFFSET) {
            recent[nextRecent & (RECENT - 1)] = name;
            recentAt[nextRecent++ & (RECENT - 1)] = stands;
        }
    }

    /// Finds the labels, and for each a hash of the name that begins with it: of lengths and of
    /// octets at both ends of labels, since what is the same is compared anyway.
    private int hash(byte[] wire, int offset) {
        int labels = 0;
        for (int p = offset; wire[p] != 0; p += wire[p] + 1) {
            starts[labels++] = p;
        }
        long hash = 0;
        for (int i = labels - 1; i >= 0; i--) {
            int p = starts[i];
            hash = (hash ^ ends(wire, p, wire[p] + 1)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
            hashes[i] = (int) hash;
        }
        return labels;
    }

    /// Of a label with its length: 2 to 64 octets.
    private static long ends(byte[] wire, int p, int length) {
        if (length >= 8) {
            return (long) LONG.get(wire, p) * 31 + (long) LONG.get(wire, p + length - 8);
        }
        if (length >= 4) {
            return (long) (int) INT.get(wire, p) * 31 + (int) INT.get(wire, p + length - 4);
        }
        return (long) (short) SHORT.get(wire, p) * 31 + (short) SHORT.get(wire, p + length - 2);
    }
}
