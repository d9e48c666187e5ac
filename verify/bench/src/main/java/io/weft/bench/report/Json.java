package io.weft.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists, strings, numbers and null as JSON; NaN becomes null.
public final class Json {
    private Json() {}

    public static String write(@Nullable Object value) {
        return write(value, "") + "\n";
    }

    private static String write(@Nullable Object value, String indent) {
        return switch (value) {
            case null -> "null";
            case Double number -> number(number);
            case String text -> quote(text);
            case List<?> list ->
                    list.stream()
                            .map(element -> indent + "  " + write(element, indent + "  "))
                            .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(
                                    entry ->
                                            indent
                                                    + "  "
                                                    + quote(String.valueOf(entry.getKey()))
                                                    + ": "
                                                    + write(entry.getValue(), indent + "  "))
                            .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
            default ->
                    throw new IllegalArgumentException(
                            "value: "
                                    + value.getClass()
                                    + " (expected: Map, List, String, Double)");
        };
    }

    private static String number(double number) {
        return Double.isFinite(number)
                ? new BigDecimal(number, new MathContext(6)).stripTrailingZeros().toPlainString()
                : "null";
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                default -> {
                    if (c < ' ') {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
