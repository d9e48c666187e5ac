package io.weft.http.hpack;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The dynamic table of a decoder (RFC 7541, 2.3.2): a ring of fields, bounded by their sizes.
final class DynamicTable {
    private @Nullable HpackField[] ring = new HpackField[8];

    /// Index of the newest entry.
    private int newest;

    private int entries;
    private int size;
    private int capacity;

    DynamicTable(int capacity) {
        this.capacity = capacity;
    }

    int entries() {
        return entries;
    }

    int size() {
        return size;
    }

    int capacity() {
        return capacity;
    }

    /// Returns the field with this index of both tables (RFC 7541, 2.3.3).
    HpackField field(int index) {
        int place = index - StaticTable.LAST - 1;
        if (place >= 0 && place < entries) {
            return get(place);
        }
        if (index <= 0 || place >= 0) {
            throw new HpackException(
                    "index: " + index + " (expected: 1 to " + (StaticTable.LAST + entries) + ")");
        }
        return StaticTable.get(index);
    }

    /// @param index 0 for the newest, to `entries - 1`
    HpackField get(int index) {
        HpackField field = ring[(newest + index) & (ring.length - 1)];
        if (field == null) {
            throw new AssertionError("entry " + index + ": none (expected: " + entries + ")");
        }
        return field;
    }

    /// Evicts what has no place in `bytes` any longer (RFC 7541, 4.3).
    void capacity(int bytes) {
        capacity = bytes;
        evict(bytes);
    }

    /// Adds a field in front. One that is larger than the table empties it (RFC 7541, 4.4).
    void add(HpackField field) {
        evict((long) capacity - field.size());
        if (field.size() > capacity) {
            return;
        }
        if (entries == ring.length) {
            grow();
        }
        newest = (newest - 1) & (ring.length - 1);
        ring[newest] = field;
        entries++;
        size += field.size();
    }

    void clear() {
        evict(0);
    }

    private void evict(long room) {
        while (entries > 0 && size > room) {
            int oldest = (newest + entries - 1) & (ring.length - 1);
            size -= get(entries - 1).size();
            ring[oldest] = null;
            entries--;
        }
    }

    private void grow() {
        @Nullable HpackField[] larger = Arrays.copyOfRange(ring, newest, newest + ring.length * 2);
        int wrapped = newest;
        System.arraycopy(ring, 0, larger, ring.length - wrapped, wrapped);
        ring = larger;
        newest = 0;
    }
}
