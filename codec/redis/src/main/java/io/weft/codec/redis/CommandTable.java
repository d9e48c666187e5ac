package io.weft.codec.redis;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds what belongs to a command by its name, whatever the case of its letters, without making a
/// text of it. Immutable; any thread.
///
/// @param <T> the values
public final class CommandTable<T> {
    private static final int MAX_NAME = 32;

    private final String[] names;
    private final Object[] values;
    private final int mask;

    /// @param values by names of 1 to 32 characters of ASCII
    /// @throws IllegalArgumentException when a name is not like that
    public CommandTable(Map<String, ? extends T> values) {
        int size = Integer.highestOneBit(Math.max(4, 4 * values.size() - 1));
        mask = size - 1;
        this.names = new String[size];
        this.values = new Object[size];
        values.forEach(this::put);
    }

    private void put(String name, T value) {
        if (name.isEmpty()
                || name.length() > MAX_NAME
                || name.chars().anyMatch(c -> c <= ' ' || c > 0x7E)) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: 1 to " + MAX_NAME + " characters of ASCII)");
        }
        int hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = 31 * hash + (name.charAt(i) | 0x20);
        }
        int at = hash & mask;
        while (names[at] != null) {
            at = (at + 1) & mask;
        }
        names[at] = name;
        values[at] = Objects.requireNonNull(value);
    }

    /// The value of the name of `command`, which stays the caller's; null if there is none.
    @SuppressWarnings("unchecked") // put saw to it
    public @Nullable T find(Command command) {
        if (command.length(0) > MAX_NAME) {
            return null;
        }
        for (int at = command.nameHash() & mask; names[at] != null; at = (at + 1) & mask) {
            if (command.is(0, names[at])) {
                return (T) values[at];
            }
        }
        return null;
    }
}
