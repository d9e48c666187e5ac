package io.weft.channel;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Values that handlers and others have attached to a channel. Any thread. They live as long as the
/// channel; they are not released with it.
public final class Attributes {
    private static final Object[] NONE = {};

    /// Key, value, key, value ... Replaced under the lock, never changed.
    private volatile Object[] pairs = NONE;

    Attributes() {}

    /// Null when it was not set.
    public <T> @Nullable T get(AttributeKey<T> key) {
        return value(pairs, key);
    }

    @SuppressWarnings("unchecked") // only a T is set with a key of T
    private static <T> @Nullable T value(Object[] pairs, AttributeKey<T> key) {
        int at = indexOf(pairs, key);
        return at < 0 ? null : (T) pairs[at + 1];
    }

    private static int indexOf(Object[] pairs, AttributeKey<?> key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i] == key) {
                return i;
            }
        }
        return -1;
    }

    /// @return what was there before; null when there was nothing
    public synchronized <T> @Nullable T set(AttributeKey<T> key, T value) {
        Objects.requireNonNull(value, "value");
        Object[] before = pairs;
        int at = indexOf(before, key);
        Object[] after = Arrays.copyOf(before, at < 0 ? before.length + 2 : before.length);
        int to = at < 0 ? before.length : at;
        after[to] = key;
        after[to + 1] = value;
        pairs = after;
        return value(before, key);
    }

    /// Returns the value of `key`; if there is none, sets and returns the one that `make` makes.
    /// `make` is called at most once a key and must not set attributes itself.
    public synchronized <T> T computeIfAbsent(AttributeKey<T> key, Supplier<? extends T> make) {
        T there = value(pairs, key);
        if (there == null) {
            there = make.get();
            set(key, there);
        }
        return there;
    }

    /// @return what was there; null when there was nothing
    public synchronized <T> @Nullable T remove(AttributeKey<T> key) {
        Object[] before = pairs;
        int at = indexOf(before, key);
        if (at < 0) {
            return null;
        }
        Object[] after = Arrays.copyOf(before, before.length - 2);
        System.arraycopy(before, at + 2, after, at, before.length - at - 2);
        pairs = after;
        return value(before, key);
    }
}
