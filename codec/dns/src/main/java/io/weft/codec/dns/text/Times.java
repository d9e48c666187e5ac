package io.weft.codec.dns.text;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/// Points in time and durations as master files have them.
public final class Times {
    private static final int DIGITS = 14;

    private Times() {}

    /// Seconds since 1970 modulo 2^32: as `YYYYMMDDHHmmSS`, or as their number (RFC 4034, 3.2).
    static long seconds(String word) {
        if (word.length() != DIGITS) {
            return Tokens.number("time", word, 0xFFFF_FFFFL);
        }
        long digits = Tokens.number("time", word, 99_999_999_999_999L);
        try {
            return LocalDateTime.of(
                                    (int) (digits / 10_000_000_000L),
                                    (int) (digits / 100_000_000 % 100),
                                    (int) (digits / 1_000_000 % 100),
                                    (int) (digits / 10_000 % 100),
                                    (int) (digits / 100 % 100),
                                    (int) (digits % 100))
                            .toEpochSecond(ZoneOffset.UTC)
                    & 0xFFFF_FFFFL;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("time: " + word + " (expected: YYYYMMDDHHmmSS)", e);
        }
    }

    /// Those from 1970 to 2106, as `YYYYMMDDHHmmSS`.
    static String print(long seconds) {
        LocalDateTime t = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        long date = t.getYear() * 10_000L + t.getMonthValue() * 100L + t.getDayOfMonth();
        long time = t.getHour() * 10_000L + t.getMinute() * 100L + t.getSecond();
        return Long.toString(date * 1_000_000 + time);
    }

    /// Seconds, or numbers with units: `1w2d3h4m5s`.
    public static long duration(String word, long max) {
        long total = 0;
        int from = 0;
        for (int i = 0; i < word.length(); i++) {
            long unit =
                    switch (word.charAt(i)) {
                        case 'w', 'W' -> 604_800;
                        case 'd', 'D' -> 86_400;
                        case 'h', 'H' -> 3600;
                        case 'm', 'M' -> 60;
                        case 's', 'S' -> 1;
                        default -> 0;
                    };
            if (unit > 0) {
                total += Tokens.number("duration", word.substring(from, i), max) * unit;
                from = i + 1;
                requireWithin(total, max, word);
            }
        }
        if (from < word.length() || word.isEmpty()) {
            total += Tokens.number("duration", word.substring(from), max);
        }
        requireWithin(total, max, word);
        return total;
    }

    private static void requireWithin(long total, long max, String word) {
        if (total > max) {
            throw new IllegalArgumentException(
                    "duration: " + Tokens.shown(word) + " (expected: at most " + max + " s)");
        }
    }
}
