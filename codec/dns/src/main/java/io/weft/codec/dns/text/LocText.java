package io.weft.codec.dns.text;

import io.weft.codec.dns.rdata.Loc;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Places as master files have them (RFC 1876, 3): `42 21 54 N 71 6 18 W -24m 30m`.
final class LocText {
    private static final int DEGREE = 3_600_000;
    private static final int MINUTE = 60_000;

    private LocText() {}

    static Loc parse(Tokens in) {
        int latitude = angle(in, 90, "N", "S");
        int longitude = angle(in, 180, "E", "W");
        long altitude = centimetres(in.word("altitude"));
        long size = in.hasNext() ? precision(in) : 100;
        long horizontal = in.hasNext() ? precision(in) : 1_000_000;
        long vertical = in.hasNext() ? precision(in) : 1000;
        return new Loc(latitude, longitude, altitude, size, horizontal, vertical);
    }

    /// Thousandths of a second of arc.
    private static int angle(Tokens in, int max, String plus, String minus) {
        int angle = (int) in.number("degrees", max) * DEGREE;
        String word = in.word("direction");
        if (!isDirection(word, plus, minus)) {
            angle += (int) Tokens.number("minutes", word, 59) * MINUTE;
            word = in.word("direction");
        }
        if (!isDirection(word, plus, minus)) {
            angle += (int) decimal("seconds", word, 3, 59_999);
            word = in.word("direction");
        }
        if (!isDirection(word, plus, minus)) {
            throw new IllegalArgumentException(
                    "direction: "
                            + Tokens.shown(word)
                            + " (expected: "
                            + plus
                            + " or "
                            + minus
                            + ")");
        }
        return word.equalsIgnoreCase(minus) ? -angle : angle;
    }

    private static boolean isDirection(String word, String plus, String minus) {
        return word.equalsIgnoreCase(plus) || word.equalsIgnoreCase(minus);
    }

    private static long precision(Tokens in) {
        return Loc.roundDown(centimetres(in.word("precision")));
    }

    private static long centimetres(String word) {
        String metres = word.endsWith("m") ? word.substring(0, word.length() - 1) : word;
        boolean below = metres.startsWith("-");
        long value = decimal("metres", below ? metres.substring(1) : metres, 2, 9_999_999_999L);
        return below ? -value : value;
    }

    /// A number with up to `places` digits behind its point, as a whole number of the last of them.
    private static long decimal(String what, String word, int places, long max) {
        int point = word.indexOf('.');
        String whole = point < 0 ? word : word.substring(0, point);
        @Nullable String part = point < 0 ? null : word.substring(point + 1);
        long value = Tokens.number(what, whole, max);
        if (part != null && part.length() > places) {
            throw new IllegalArgumentException(
                    what + ": " + Tokens.shown(word) + " (expected: " + places + " decimals)");
        }
        for (int i = 0; i < places; i++) {
            value *= 10;
        }
        if (part != null) {
            value += Tokens.number(what, part + "000".substring(0, places - part.length()), max);
        }
        if (value > max) {
            throw new IllegalArgumentException(
                    what + ": " + Tokens.shown(word) + " (expected: less)");
        }
        return value;
    }

    static String print(Loc loc) {
        return angle(loc.latitude(), "N", "S")
                + " "
                + angle(loc.longitude(), "E", "W")
                + " "
                + metres(loc.altitude())
                + " "
                + metres(loc.size())
                + " "
                + metres(loc.horizontalPrecision())
                + " "
                + metres(loc.verticalPrecision());
    }

    private static String angle(int value, String plus, String minus) {
        int angle = Math.abs(value);
        return String.format(
                Locale.ROOT,
                "%d %d %d.%03d %s",
                angle / DEGREE,
                angle / MINUTE % 60,
                angle / 1000 % 60,
                angle % 1000,
                value < 0 ? minus : plus);
    }

    private static String metres(long centimetres) {
        long value = Math.abs(centimetres);
        return String.format(
                Locale.ROOT, "%s%d.%02dm", centimetres < 0 ? "-" : "", value / 100, value % 100);
    }
}
