package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The data of the memcached example, with versions and expiry. One lock is for all.
final class MemcacheStore {
    /// @param expires in seconds of the clock; the largest for never
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Item(byte[] value, int flags, long cas, long expires) {}

    /// The result of a change, and the item that it has made; null when there is none.
    record Changed(Outcome outcome, @Nullable Item item) {
        private static final Changed NOT_FOUND = new Changed(Outcome.NOT_FOUND, null);
    }

    /// The kind of a result.
    enum Outcome {
        DONE,
        NOT_FOUND,
        EXISTS,
        NOT_STORED,
        NOT_A_NUMBER
    }

    /// When a value is stored.
    enum Mode {
        SET,
        ADD,
        REPLACE,
        APPEND,
        PREPEND
    }

    /// Above it an expiry is a date, as memcached has it.
    private static final long MONTH = 60L * 60 * 24 * 30;

    private final Map<String, Item> items = new HashMap<>();
    private final LongSupplier clock;
    private long cas;
    private long flushAt = Long.MAX_VALUE;

    /// @param clock seconds since 1970
    MemcacheStore(LongSupplier clock) {
        this.clock = clock;
    }

    private long expiry(long time) {
        if (time == 0) {
            return Long.MAX_VALUE;
        }
        return time > MONTH ? time : clock.getAsLong() + time;
    }

    synchronized @Nullable Item get(String key) {
        long now = clock.getAsLong();
        if (now >= flushAt) {
            flushAt = Long.MAX_VALUE;
            items.clear();
        }
        Item item = items.get(key);
        if (item != null && now >= item.expires) {
            items.remove(key);
            return null;
        }
        return item;
    }

    /// @param version 0 for any
    synchronized Changed store(
            Mode mode, String key, byte[] value, int flags, long time, long version) {
        Item before = get(key);
        if (version != 0 && before == null) {
            return Changed.NOT_FOUND;
        }
        if (version != 0 && before != null && before.cas != version) {
            return new Changed(Outcome.EXISTS, before);
        }
        boolean wrong = mode == Mode.ADD ? before != null : before == null;
        if (mode != Mode.SET && wrong) {
            return new Changed(Outcome.NOT_STORED, before);
        }
        Item after;
        if (before != null && (mode == Mode.APPEND || mode == Mode.PREPEND)) {
            byte[] first = mode == Mode.APPEND ? before.value : value;
            byte[] second = mode == Mode.APPEND ? value : before.value;
            byte[] both = new byte[first.length + second.length];
            System.arraycopy(first, 0, both, 0, first.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            after = new Item(both, before.flags, ++cas, before.expires);
        } else {
            after = new Item(value, flags, ++cas, expiry(time));
        }
        items.put(key, after);
        return new Changed(Outcome.DONE, after);
    }

    synchronized Outcome delete(String key, long version) {
        Item before = get(key);
        if (before == null) {
            return Outcome.NOT_FOUND;
        }
        if (version != 0 && before.cas != version) {
            return Outcome.EXISTS;
        }
        items.remove(key);
        return Outcome.DONE;
    }

    /// Adds `by`, or takes it away down to 0; the item that is returned has the result.
    synchronized Changed add(String key, boolean up, long by) {
        Item before = get(key);
        if (before == null) {
            return Changed.NOT_FOUND;
        }
        long value;
        try {
            value = Long.parseUnsignedLong(new String(before.value, ISO_8859_1).strip());
        } catch (NumberFormatException e) {
            return new Changed(Outcome.NOT_A_NUMBER, before);
        }
        long after = up ? value + by : Long.compareUnsigned(value, by) < 0 ? 0 : value - by;
        byte[] text = Long.toUnsignedString(after).getBytes(ISO_8859_1);
        Item item = new Item(text, before.flags, ++cas, before.expires);
        items.put(key, item);
        return new Changed(Outcome.DONE, item);
    }

    /// Begins the expiry of an item anew.
    synchronized Changed touch(String key, long time) {
        Item before = get(key);
        if (before == null) {
            return Changed.NOT_FOUND;
        }
        Item item = new Item(before.value, before.flags, before.cas, expiry(time));
        items.put(key, item);
        return new Changed(Outcome.DONE, item);
    }

    /// Seconds that an item has; -1 when it does not expire.
    long timeToLive(Item item) {
        return item.expires == Long.MAX_VALUE ? -1 : item.expires - clock.getAsLong();
    }

    synchronized void flush(long delay) {
        if (delay == 0) {
            items.clear();
        } else {
            flushAt = expiry(delay);
        }
    }

    synchronized int size() {
        return items.size();
    }
}
