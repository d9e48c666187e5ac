package io.weft.codec.dns;

import java.util.Iterator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/// The numbers of a `$GENERATE` entry, as BIND has it: `START-STOP` or `START-STOP/STEP`, both ends
/// within.
record Series(int first, int last, int step) {
    private static final Pattern RANGE =
            Pattern.compile("([0-9]{1,10})-([0-9]{1,10})(?:/([0-9]{1,10}))?");

    /// The place of a number: `${OFFSET}`, `${OFFSET,WIDTH}` or `${OFFSET,WIDTH,BASE}`.
    private static final Pattern FORM =
            Pattern.compile("\\{(-?[0-9]{1,9})(?:,([0-9]{1,3})(?:,([doxXnN]))?)?}");

    private static final int MAX_WIDTH = 255;

    static Series parse(String range) {
        Matcher parts = RANGE.matcher(range);
        if (!parts.matches()) {
            throw new IllegalArgumentException("range (expected: START-STOP or START-STOP/STEP)");
        }
        String step = parts.group(3);
        Series series =
                new Series(
                        number(parts.group(1)),
                        number(parts.group(2)),
                        step == null ? 1 : number(step));
        if (series.first > series.last || series.step == 0) {
            throw new IllegalArgumentException(
                    "range: " + range + " (expected: START up to STOP, STEP above 0)");
        }
        return series;
    }

    private static int number(String digits) {
        long number = Long.parseLong(digits);
        if (number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "range: " + digits + " (expected: at most " + Integer.MAX_VALUE + ")");
        }
        return (int) number;
    }

    /// Returns the number of numbers.
    ///
    /// @throws IllegalArgumentException if there are more than `max`
    int size(int max) {
        long size = ((long) last - first) / step + 1;
        if (size > max) {
            throw new IllegalArgumentException(
                    "$GENERATE: " + size + " records (expected: at most " + max + " more)");
        }
        return (int) size;
    }

    Iterator<Integer> iterator() {
        return LongStream.iterate(first, number -> number <= last, number -> number + step)
                .mapToInt(number -> (int) number)
                .iterator();
    }

    /// Returns `text` with `number` in the places of `$`; `$$` is `$`, and behind a backslash it
    /// is one that names have.
    static String with(String text, int number) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                made.append(c).append(text.charAt(++i));
            } else if (c != '$') {
                made.append(c);
            } else if (text.startsWith("$", i + 1)) {
                made.append(text.charAt(++i));
            } else if (text.startsWith("{", i + 1)) {
                Matcher form = FORM.matcher(text).region(i + 1, text.length());
                if (!form.lookingAt()) {
                    throw new IllegalArgumentException(
                            "${ (expected: ${OFFSET}, ${OFFSET,WIDTH} or ${OFFSET,WIDTH,BASE})");
                }
                made.append(formed(form, number));
                i = form.end() - 1;
            } else {
                made.append(number);
            }
        }
        return made.toString();
    }

    private static String formed(Matcher form, int number) {
        long value = number + Long.parseLong(form.group(1));
        int width = form.group(2) == null ? 0 : Integer.parseInt(form.group(2));
        String base = form.group(3) == null ? "d" : form.group(3);
        if (value < 0 || value > Integer.MAX_VALUE || width > MAX_WIDTH) {
            throw new IllegalArgumentException(
                    "$GENERATE: " + value + " in " + form.group() + " (expected: 0 to 2^31 - 1)");
        }
        String digits =
                switch (base) {
                    case "o" -> Long.toOctalString(value);
                    case "d" -> Long.toString(value);
                    default -> Long.toHexString(value);
                };
        if (base.equals("X") || base.equals("N")) {
            digits = digits.toUpperCase(Locale.ROOT);
        }
        return base.equalsIgnoreCase("n")
                ? nibbles(digits, width)
                : "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /// The digits from the right to the left with dots between them, as in `ip6.arpa`. The dots
    /// count for `width`, which may be odd or even.
    private static String nibbles(String digits, int width) {
        String reversed =
                new StringBuilder(digits)
                        .reverse()
                        .append("0".repeat(Math.max(0, (width + 1) / 2 - digits.length())))
                        .toString();
        String dotted = String.join(".", reversed.split(""));
        return dotted.length() < width ? dotted + "." : dotted;
    }
}
