package io.weft.examples.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The data of the Redis example: strings, lists, hashes and sets by key, which expire. One lock is
/// for all, as Redis has one thread. Keys and fields are Latin-1: a character a byte.
final class RedisKeyspace {
    private static final class Entry {
        Object value;

        /// In milliseconds of the clock; the largest for never.
        long expires = Long.MAX_VALUE;

        Entry(Object value) {
            this.value = value;
        }
    }

    private final Map<String, Entry> entries = new HashMap<>();
    private final LongSupplier clock;

    /// @param clock milliseconds
    RedisKeyspace(LongSupplier clock) {
        this.clock = clock;
    }

    private @Nullable Entry entry(String key) {
        Entry entry = entries.get(key);
        if (entry != null
                && entry.expires != Long.MAX_VALUE
                && clock.getAsLong() >= entry.expires) {
            entries.remove(key); // it is only looked at when it is wanted
            return null;
        }
        return entry;
    }

    private <T> @Nullable T get(String key, Class<T> type) {
        Entry entry = entry(key);
        if (entry == null) {
            return null;
        }
        if (!type.isInstance(entry.value)) {
            throw new WrongType();
        }
        return type.cast(entry.value);
    }

    private <T> T getOrPut(String key, Class<T> type, Supplier<T> made) {
        T value = get(key, type);
        if (value == null) {
            value = made.get();
            entries.put(key, new Entry(value));
        }
        return value;
    }

    /// The key holds a value of another type.
    static final class WrongType extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    // ---- keys ----

    synchronized boolean exists(String key) {
        return entry(key) != null;
    }

    synchronized boolean remove(String key) {
        boolean there = entry(key) != null;
        entries.remove(key);
        return there;
    }

    synchronized void clear() {
        entries.clear();
    }

    synchronized int size() {
        return entries.size();
    }

    synchronized List<String> keys() {
        List<String> keys = new ArrayList<>(entries.keySet());
        keys.removeIf(key -> entry(key) == null);
        return keys;
    }

    synchronized String type(String key) {
        Entry entry = entry(key);
        return switch (entry == null ? null : entry.value) {
            case null -> "none";
            case byte[] _ -> "string";
            case ArrayDeque<?> _ -> "list";
            case Map<?, ?> _ -> "hash";
            default -> "set";
        };
    }

    /// Milliseconds that the key has; -1 when it does not expire, -2 when there is none.
    synchronized long timeToLive(String key) {
        Entry entry = entry(key);
        if (entry == null) {
            return -2;
        }
        return entry.expires == Long.MAX_VALUE ? -1 : entry.expires - clock.getAsLong();
    }

    /// @param millis from now on; negative for never
    synchronized boolean expire(String key, long millis) {
        Entry entry = entry(key);
        if (entry == null) {
            return false;
        }
        entry.expires = millis < 0 ? Long.MAX_VALUE : clock.getAsLong() + millis;
        return true;
    }

    // ---- strings ----

    synchronized byte @Nullable [] string(String key) {
        return get(key, byte[].class);
    }

    /// Returns the value of a key if that is a string.
    synchronized byte @Nullable [] stringOrNull(String key) {
        Entry entry = entry(key);
        return entry != null && entry.value instanceof byte[] value ? value : null;
    }

    /// @param there null to set it in any case, else only if the key is there, or is not
    /// @param millis until it expires; negative for never
    synchronized boolean setString(String key, byte[] value, @Nullable Boolean there, long millis) {
        if (there != null && there != (entry(key) != null)) {
            return false;
        }
        Entry entry = new Entry(value);
        if (millis >= 0) {
            entry.expires = clock.getAsLong() + millis;
        }
        entries.put(key, entry);
        return true;
    }

    /// @throws IllegalArgumentException when there is no integer, or the sum is none
    synchronized long add(String key, long by) {
        byte[] before = string(key);
        try {
            long sum =
                    Math.addExact(
                            before == null ? 0 : Long.parseLong(new String(before, ISO_8859_1)),
                            by);
            byte[] after = Long.toString(sum).getBytes(ISO_8859_1);
            Entry entry = entry(key);
            if (entry == null) {
                entries.put(key, new Entry(after));
            } else {
                entry.value = after;
            }
            return sum;
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("value is not an integer or out of range", e);
        }
    }

    // ---- lists ----

    @SuppressWarnings("unchecked") // nothing else is a deque
    private @Nullable ArrayDeque<byte[]> list(String key) {
        return get(key, ArrayDeque.class);
    }

    @SuppressWarnings("unchecked")
    synchronized int push(String key, boolean left, List<byte[]> values) {
        ArrayDeque<byte[]> list = getOrPut(key, ArrayDeque.class, ArrayDeque::new);
        for (byte[] value : values) {
            if (left) {
                list.addFirst(value);
            } else {
                list.addLast(value);
            }
        }
        return list.size();
    }

    synchronized byte @Nullable [] pop(String key, boolean left) {
        ArrayDeque<byte[]> list = list(key);
        if (list == null) {
            return null;
        }
        byte[] value = left ? list.pollFirst() : list.pollLast();
        if (list.isEmpty()) {
            entries.remove(key);
        }
        return value;
    }

    /// Elements from `first` to `last`; negative numbers count from the end.
    synchronized List<byte[]> range(String key, long first, long last) {
        ArrayDeque<byte[]> list = list(key);
        if (list == null) {
            return List.of();
        }
        long from = Math.max(0, first < 0 ? first + list.size() : first);
        long to = Math.min(list.size() - 1L, last < 0 ? last + list.size() : last);
        return to < from ? List.of() : list.stream().skip(from).limit(to - from + 1).toList();
    }

    synchronized int length(String key) {
        ArrayDeque<byte[]> list = list(key);
        return list == null ? 0 : list.size();
    }

    // ---- hashes ----

    @SuppressWarnings("unchecked")
    synchronized Map<String, byte[]> hash(String key) {
        Map<String, byte[]> hash = get(key, LinkedHashMap.class);
        return hash == null ? Map.of() : Map.copyOf(hash);
    }

    @SuppressWarnings("unchecked")
    synchronized int setFields(String key, Map<String, byte[]> fields) {
        Map<String, byte[]> hash = getOrPut(key, LinkedHashMap.class, LinkedHashMap::new);
        int before = hash.size();
        hash.putAll(fields);
        return hash.size() - before;
    }

    @SuppressWarnings("unchecked")
    synchronized byte @Nullable [] field(String key, String field) {
        Map<String, byte[]> hash = get(key, LinkedHashMap.class);
        return hash == null ? null : hash.get(field);
    }

    @SuppressWarnings("unchecked")
    synchronized int removeFields(String key, List<String> fields) {
        Map<String, byte[]> hash = get(key, LinkedHashMap.class);
        int removed = 0;
        if (hash != null) {
            for (String field : fields) {
                removed += hash.remove(field) != null ? 1 : 0;
            }
            if (hash.isEmpty()) {
                entries.remove(key);
            }
        }
        return removed;
    }

    // ---- sets ----

    @SuppressWarnings("unchecked")
    synchronized int addMembers(String key, List<String> members) {
        Set<String> set = getOrPut(key, LinkedHashSet.class, LinkedHashSet::new);
        int before = set.size();
        set.addAll(members);
        return set.size() - before;
    }

    @SuppressWarnings("unchecked")
    synchronized Set<String> members(String key) {
        Set<String> set = get(key, LinkedHashSet.class);
        return set == null ? Set.of() : Set.copyOf(set);
    }
}
