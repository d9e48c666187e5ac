package io.weft.codec.stomp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Headers of a frame, in their order. Where a name comes again, the first one counts. Immutable.
public final class StompHeaders {
    public static final StompHeaders NONE = new StompHeaders(new String[0]);

    /// Names and values in turns.
    private final String[] pairs;

    /// The array becomes theirs.
    StompHeaders(String[] pairs) {
        this.pairs = pairs;
    }

    /// @param pairs names and values in turns
    /// @throws IllegalArgumentException when a value is missing, or a name is empty or one has NUL
    public static StompHeaders of(String... pairs) {
        if (pairs.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "names and values: " + pairs.length + " (expected: an even number)");
        }
        for (int i = 0; i < pairs.length; i++) {
            require(pairs[i], i % 2 == 0);
        }
        return new StompHeaders(pairs.clone());
    }

    private static void require(String text, boolean isName) {
        if (text.indexOf('\0') >= 0 || (isName && text.isEmpty())) {
            throw new IllegalArgumentException(
                    isName
                            ? "header name: empty or with NUL (expected: a name)"
                            : "header value: with NUL (expected: none)");
        }
    }

    /// Returns these headers and another one behind them.
    ///
    /// @throws IllegalArgumentException when the name is empty or one has NUL
    public StompHeaders with(String name, String value) {
        require(name, true);
        require(value, false);
        String[] all = Arrays.copyOf(pairs, pairs.length + 2);
        all[pairs.length] = name;
        all[pairs.length + 1] = value;
        return new StompHeaders(all);
    }

    /// The number of headers, repeated ones too.
    public int size() {
        return pairs.length / 2;
    }

    /// @throws IndexOutOfBoundsException unless 0 to size
    public String name(int index) {
        return pairs[2 * index];
    }

    /// @throws IndexOutOfBoundsException unless 0 to size
    public String value(int index) {
        return pairs[2 * index + 1];
    }

    /// Returns the first value of a name; null without one.
    public @Nullable String get(String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(name)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    /// All values of a name, the newest first, as servers put them before older ones.
    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(name)) {
                values.add(pairs[i + 1]);
            }
        }
        return values;
    }

    public boolean contains(String name) {
        return get(name) != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StompHeaders h && Arrays.equals(pairs, h.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pairs);
    }

    /// Names only: values may be passwords.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < size(); i++) {
            text.append(i == 0 ? "" : ", ").append(name(i));
        }
        return text.append('}').toString();
    }
}
