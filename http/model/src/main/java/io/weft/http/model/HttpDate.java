package io.weft.http.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Dates of header fields (RFC 9110, 5.6.7), exact to the second.
public final class HttpDate {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private static final List<String> MONTHS =
            List.of("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ", -1));
    private static final List<String> DAYS = List.of("Mon Tue Wed Thu Fri Sat Sun".split(" ", -1));
    private static final String TIME = "(?<h>\\d\\d):(?<m>\\d\\d):(?<s>\\d\\d)";
    private static final String MONTH = "(?<month>" + String.join("|", MONTHS) + ")";
    private static final String DAY = "(?<day>" + String.join("|", DAYS) + ")";

    /// IMF-fixdate, then the obsolete forms of RFC 850 and of C's asctime, which have to be
    /// understood.
    private static final List<Pattern> FORMS =
            List.of(
                    Pattern.compile(
                            DAY + ", (?<d>\\d\\d) " + MONTH + " (?<y>\\d{4}) " + TIME + " GMT"),
                    Pattern.compile(
                            "(?<day>Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<d>\\d\\d)-"
                                    + MONTH
                                    + "-(?<y>\\d\\d) "
                                    + TIME
                                    + " GMT"),
                    Pattern.compile(
                            DAY + " " + MONTH + " (?<d>[ \\d]\\d) " + TIME + " (?<y>\\d{4})"));

    private static final int MAX_LENGTH = 33;

    private HttpDate() {}

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// @throws IllegalArgumentException for years that do not have four digits
    public static String format(Instant instant) {
        if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
            throw new IllegalArgumentException(
                    "instant: " + instant + " (expected: in the years 0 to 9999)");
        }
        return FORMAT.format(instant);
    }

    /// The time that `text` means in any of the three forms; null when it is none of them, as
    /// recipients ignore such fields. A year of two digits is the one that is at most 50 years
    /// ahead of `now`.
    public static @Nullable Instant parse(CharSequence text, Instant now) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        for (Pattern form : FORMS) {
            Matcher m = form.matcher(text);
            if (m.matches()) {
                return instant(m, now);
            }
        }
        return null;
    }

    private static @Nullable Instant instant(Matcher m, Instant now) {
        try {
            LocalDateTime time = m.group("y").length() == 2 ? near(m, now) : time(m, year(m));
            boolean sameDay = Integer.parseInt(m.group("s")) <= 60 && isDay(time, m.group("day"));
            return sameDay ? time.toInstant(ZoneOffset.UTC) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /// The last time of these that is at most 50 years ahead, to the second.
    private static LocalDateTime near(Matcher m, Instant now) {
        LocalDateTime latest = now.atOffset(ZoneOffset.UTC).toLocalDateTime().plusYears(50);
        int year = latest.getYear() - Math.floorMod(latest.getYear() - year(m), 100);
        LocalDateTime time = time(m, year);
        return time.isAfter(latest) ? time(m, year - 100) : time;
    }

    private static int year(Matcher m) {
        return Integer.parseInt(m.group("y"));
    }

    private static LocalDateTime time(Matcher m, int year) {
        return LocalDateTime.of(
                year,
                MONTHS.indexOf(m.group("month")) + 1,
                Integer.parseInt(m.group("d").strip()),
                Integer.parseInt(m.group("h")),
                Integer.parseInt(m.group("m")),
                // A leap second is the last of its minute (RFC 9110 takes 60 from RFC 5322).
                Math.min(59, Integer.parseInt(m.group("s"))));
    }

    private static boolean isDay(LocalDateTime time, String name) {
        return DAYS.get(time.getDayOfWeek().getValue() - 1).equals(name.substring(0, 3));
    }
}
