package io.weft.http.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The dynamic table of an encoder, found by content: a ring of entries, and two hash tables over
/// it, by name and by name and value.
///
/// Entries are numbered as they come. A chain goes from the newest entry with a hash to older ones,
/// by number, and ends with the first number that has left the ring: so eviction touches no chain.
/// Hashes differ from one JVM to the next, so nobody can prepare names that collide.
final class EncoderTable {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long SEED = ThreadLocalRandom.current().nextLong() | 1;
    private static final int BUCKETS = 64;

    /// Bytes behind a value that may be read.
    static final int SLACK = 8;

    private static final long NONE = -1;

    private static final class Entry {
        final Object name;
        final byte[] value;
        final int hash;
        final int size;
        final long nextSame;
        final long nextNamed;

        Entry(Object name, byte[] value, int hash, int size, long nextSame, long nextNamed) {
            this.name = name;
            this.value = value;
            this.hash = hash;
            this.size = size;
            this.nextSame = nextSame;
            this.nextNamed = nextNamed;
        }
    }

    private @Nullable Entry[] ring = new Entry[8];
    private final long[] same = new long[BUCKETS];
    private final long[] named = new long[BUCKETS];

    /// The numbers of the next entry and of the oldest one.
    private long next;

    private long oldest;
    private int size;
    private int capacity;

    EncoderTable(int capacity) {
        this.capacity = capacity;
        Arrays.fill(same, NONE);
        Arrays.fill(named, NONE);
    }

    int capacity() {
        return capacity;
    }

    void capacity(int bytes) {
        capacity = bytes;
        evict(bytes);
    }

    /// Eight bytes at a time; `value` has room for [#SLACK] more than `length`.
    static int hash(Object name, byte[] value, int length) {
        long hash = (name.hashCode() + (long) length) << 32;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            hash = (hash ^ (long) LONG.get(value, i)) * SEED;
            hash ^= hash >>> 32;
        }
        long rest = (long) LONG.get(value, i) & ~(-1L << ((length - i) * 8));
        hash = (hash ^ rest) * SEED;
        return (int) (hash >>> 32);
    }

    /// Returns the index (RFC 7541, 2.3.3) of the entry with this number; 0 if it was evicted.
    int indexOf(long number) {
        return number >= oldest ? index(number) : 0;
    }

    /// Returns the number of the entry with this index.
    long number(int index) {
        return StaticTable.LAST + next - index;
    }

    /// Returns the index (RFC 7541, 2.3.3) of the entry with this name and value, or 0.
    int indexOf(int hash, Object name, byte[] value, int length) {
        long number = same[hash & (BUCKETS - 1)];
        while (number >= oldest) {
            Entry entry = entry(number);
            if (entry.hash == hash
                    && entry.name.equals(name)
                    && Arrays.equals(entry.value, 0, entry.value.length, value, 0, length)) {
                return index(number);
            }
            number = entry.nextSame;
        }
        return 0;
    }

    /// Returns the index of the newest entry with this name, or 0.
    int indexOf(Object name) {
        long number = named[nameBucket(name)];
        while (number >= oldest) {
            Entry entry = entry(number);
            if (entry.name.equals(name)) {
                return index(number);
            }
            number = entry.nextNamed;
        }
        return 0;
    }

    /// Adds an entry whose size is at most the capacity.
    void add(int hash, Object name, byte[] value, int length, int entrySize) {
        evict(capacity - entrySize);
        if (next - oldest == ring.length) {
            grow();
        }
        int bucket = hash & (BUCKETS - 1);
        int nameBucket = nameBucket(name);
        ring[(int) next & (ring.length - 1)] =
                new Entry(
                        name,
                        Arrays.copyOf(value, length),
                        hash,
                        entrySize,
                        same[bucket],
                        named[nameBucket]);
        same[bucket] = next;
        named[nameBucket] = next;
        next++;
        size += entrySize;
    }

    private static int nameBucket(Object name) {
        return (int) ((name.hashCode() * SEED) >>> 58);
    }

    private int index(long number) {
        return (int) (StaticTable.LAST + next - number);
    }

    private Entry entry(long number) {
        Entry entry = ring[(int) number & (ring.length - 1)];
        if (entry == null) {
            throw new AssertionError("entry " + number + ": none (expected: from " + oldest + ")");
        }
        return entry;
    }

    private void evict(int room) {
        while (size > room) {
            size -= entry(oldest).size;
            ring[(int) oldest & (ring.length - 1)] = null;
            oldest++;
        }
    }

    private void grow() {
        @Nullable Entry[] larger = new Entry[ring.length * 2];
        for (long number = oldest; number < next; number++) {
            larger[(int) number & (larger.length - 1)] = entry(number);
        }
        ring = larger;
    }
}
