package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import org.jspecify.annotations.Nullable;

/// Dates of header fields (RFC 9110, 5.6.7), exact to the second.
public final class HttpDate {
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final int DAY = 24 * 60 * 60;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String[] LONG_DAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    };

    private static final byte[] TEMPLATE = "day, dd mon year hh:mm:ss GMT".getBytes(ISO_8859_1);

    /// Days from 0000-03-01 to 1970-01-01: years begin with March here, so that a leap day is the
    /// last of its year.
    private static final int EPOCH = 719_468;

    private static final int DAYS_OF_400_YEARS = 146_097;

    private HttpDate() {}

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// @throws IllegalArgumentException for years that do not have four digits
    public static String format(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < FIRST || seconds > LAST) {
            throw new IllegalArgumentException(
                    "instant: " + instant + " (expected: in the years 0 to 9999)");
        }
        int days = (int) Math.floorDiv(seconds, DAY);
        int time = (int) (seconds - (long) days * DAY);
        byte[] text = TEMPLATE.clone();
        three(DAYS, Math.floorMod(days + 3, 7), text, 0); // 1970 began on a Thursday
        date(days, text);
        two(time / 3600, text, 17);
        two(time / 60 % 60, text, 20);
        two(time % 60, text, 23);
        return new String(text, ISO_8859_1);
    }

    private static void date(int days, byte[] text) {
        int shifted = days + EPOCH;
        int era = Math.floorDiv(shifted, DAYS_OF_400_YEARS);
        int day = shifted - era * DAYS_OF_400_YEARS;
        int year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        int ofYear = day - (365 * year + year / 4 - year / 100);
        int month = (5 * ofYear + 2) / 153; // from March on
        two(ofYear - (153 * month + 2) / 5 + 1, text, 5);
        three(MONTHS, month < 10 ? month + 2 : month - 10, text, 8);
        int shown = year + era * 400 + (month < 10 ? 0 : 1);
        two(shown / 100, text, 12);
        two(shown % 100, text, 14);
    }

    private static void two(int number, byte[] text, int at) {
        text[at] = (byte) ('0' + number / 10);
        text[at + 1] = (byte) ('0' + number % 10);
    }

    private static void three(String names, int index, byte[] text, int at) {
        for (int i = 0; i < 3; i++) {
            text[at + i] = (byte) names.charAt(index * 3 + i);
        }
    }

    /// The time that `text` means in any of the three forms: IMF-fixdate, and the obsolete ones of
    /// RFC 850 and of C's asctime, which have to be understood. Null when it is none of them, as
    /// recipients ignore such fields. A year of two digits is the one that is at most 50 years
    /// ahead of `now`.
    public static @Nullable Instant parse(CharSequence text, Instant now) {
        return switch (text.length()) {
            case 29 -> fixed(text);
            case 24 -> asctime(text);
            case 30, 31, 32, 33 -> rfc850(text, now); // Sunday to Wednesday
            default -> null;
        };
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static @Nullable Instant fixed(CharSequence text) {
        boolean form =
                is(text, 3, ", ")
                        && text.charAt(7) == ' '
                        && text.charAt(11) == ' '
                        && text.charAt(16) == ' '
                        && is(text, 25, " GMT");
        return form
                ? instant(
                        year(text, 12),
                        name(MONTHS, text, 8),
                        number(text, 5),
                        time(text, 17),
                        name(DAYS, text, 0))
                : null;
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static @Nullable Instant asctime(CharSequence text) {
        boolean form =
                text.charAt(3) == ' '
                        && text.charAt(7) == ' '
                        && text.charAt(10) == ' '
                        && text.charAt(19) == ' ';
        int day = text.charAt(8) == ' ' ? digit(text, 9) : number(text, 8);
        return form
                ? instant(
                        year(text, 20),
                        name(MONTHS, text, 4),
                        day,
                        time(text, 11),
                        name(DAYS, text, 0))
                : null;
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static @Nullable Instant rfc850(CharSequence text, Instant now) {
        int at = text.length() - 24;
        boolean form =
                is(text, at, ", ")
                        && text.charAt(at + 4) == '-'
                        && text.charAt(at + 8) == '-'
                        && text.charAt(at + 11) == ' '
                        && is(text, at + 20, " GMT");
        int ofWeek = name(DAYS, text, 0);
        if (!form || ofWeek < 0 || !is(text, 0, LONG_DAYS[ofWeek])) {
            return null;
        }
        int year = number(text, at + 9);
        int month = name(MONTHS, text, at + 5);
        int day = number(text, at + 2);
        int time = time(text, at + 12);
        if (year < 0) {
            return null;
        }
        try {
            // The last time of these that is at most 50 years ahead, to the second.
            LocalDateTime latest = now.atOffset(ZoneOffset.UTC).toLocalDateTime().plusYears(50);
            int near = latest.getYear() - Math.floorMod(latest.getYear() - year, 100);
            long seconds = seconds(near, month, day, time);
            if (seconds > latest.toEpochSecond(ZoneOffset.UTC)) {
                near -= 100;
            }
            return instant(near, month, day, time, ofWeek);
        } catch (DateTimeException e) {
            return null; // `now` is at the end of time
        }
    }

    /// @param month from 0 on
    /// @param day of the month, from 1 on
    /// @param time seconds of the day
    /// @param ofWeek from 0 on, which is Monday
    /// @return null where one of them is negative, or there is no such day
    private static @Nullable Instant instant(int year, int month, int day, int time, int ofWeek) {
        long seconds = seconds(year, month, day, time);
        return seconds != Long.MIN_VALUE
                        && Math.floorMod(Math.floorDiv(seconds, DAY) + 3, 7) == ofWeek
                ? Instant.ofEpochSecond(seconds)
                : null;
    }

    /// @return `Long.MIN_VALUE` where there is no such time
    private static long seconds(int year, int month, int day, int time) {
        if (year < 0 || month < 0 || day < 1 || time < 0 || day > length(year, month)) {
            return Long.MIN_VALUE;
        }
        int ofMarch = month < 2 ? month + 10 : month - 2;
        int y = month < 2 ? year - 1 : year;
        int era = Math.floorDiv(y, 400);
        int ofEra = y - era * 400;
        int ofYear = (153 * ofMarch + 2) / 5 + day - 1;
        int days = ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - EPOCH;
        return (days + (long) era * DAYS_OF_400_YEARS) * DAY + time;
    }

    private static int length(int year, int month) {
        return switch (month) {
            case 1 -> IsoChronology.INSTANCE.isLeapYear(year) ? 29 : 28;
            case 3, 5, 8, 10 -> 30;
            default -> 31;
        };
    }

    /// Returns the seconds of the day that `hh:mm:ss` means, or -1.
    private static int time(CharSequence text, int at) {
        int hours = number(text, at);
        int minutes = number(text, at + 3);
        int seconds = number(text, at + 6);
        boolean valid =
                hours >= 0
                        && hours < 24
                        && minutes >= 0
                        && minutes < 60
                        && seconds >= 0
                        && seconds <= 60
                        && text.charAt(at + 2) == ':'
                        && text.charAt(at + 5) == ':';
        // A leap second is the last of its minute (RFC 9110 takes 60 from RFC 5322).
        return valid ? hours * 3600 + minutes * 60 + Math.min(59, seconds) : -1;
    }

    private static int year(CharSequence text, int at) {
        int century = number(text, at);
        int ofCentury = number(text, at + 2);
        return century < 0 || ofCentury < 0 ? -1 : century * 100 + ofCentury;
    }

    /// Returns the number that two digits spell, or -1.
    private static int number(CharSequence text, int at) {
        int tens = digit(text, at);
        int ones = digit(text, at + 1);
        return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
    }

    private static int digit(CharSequence text, int at) {
        int digit = text.charAt(at) - '0';
        return digit >= 0 && digit <= 9 ? digit : -1;
    }

    /// Returns the index of the name of three letters, or -1.
    private static int name(String names, CharSequence text, int at) {
        char first = text.charAt(at);
        for (int i = 0; i < names.length(); i += 3) {
            if (names.charAt(i) == first
                    && names.charAt(i + 1) == text.charAt(at + 1)
                    && names.charAt(i + 2) == text.charAt(at + 2)) {
                return i / 3;
            }
        }
        return -1;
    }

    private static boolean is(CharSequence text, int at, String part) {
        for (int i = 0; i < part.length(); i++) {
            if (text.charAt(at + i) != part.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
