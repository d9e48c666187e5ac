package io.weft.codec.stomp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Headers of a frame, in their order. Where a name comes again, the first one counts. Immutable.
public final class StompHeaders {
    public static final StompHeaders NONE = new StompHeaders(List.of());

    /// Names and values in turns.
    final List<String> pairs;

    StompHeaders(List<String> pairs) {
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
        return new StompHeaders(List.of(pairs));
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
        List<String> all = new ArrayList<>(pairs);
        all.add(name);
        all.add(value);
        return new StompHeaders(List.copyOf(all));
    }

    /// The number of headers, repeated ones too.
    public int size() {
        return pairs.size() / 2;
    }

    /// @throws IndexOutOfBoundsException unless 0 to size
    public String name(int index) {
        return pairs.get(2 * index);
    }

    /// @throws IndexOutOfBoundsException unless 0 to size
    public String value(int index) {
        return pairs.get(2 * index + 1);
    }

    /// Returns the first value of a name; null without one.
    public @Nullable String get(String name) {
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equals(name)) {
                return pairs.get(i + 1);
            }
        }
        return null;
    }

    /// All values of a name, the newest first, as servers put them before older ones.
    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equals(name)) {
                values.add(pairs.get(i + 1));
            }
        }
        return values;
    }

    public boolean contains(String name) {
        return get(name) != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StompHeaders h && pairs.equals(h.pairs);
    }

    @Override
    public int hashCode() {
        return pairs.hashCode();
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
