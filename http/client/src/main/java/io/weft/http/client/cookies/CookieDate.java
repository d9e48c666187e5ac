package io.weft.http.client.cookies;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Dates of cookies, which servers write in many ways (RFC 6265, 5.1.1).
final class CookieDate {
    private static final Pattern DELIMITERS = Pattern.compile("[\t -/;-@\\[-`{-~]+");
    private static final Pattern TIME =
            Pattern.compile("(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:\\D.*)?", Pattern.DOTALL);
    private static final Pattern DAY = Pattern.compile("(\\d{1,2})(?:\\D.*)?", Pattern.DOTALL);
    private static final Pattern YEAR = Pattern.compile("(\\d{2,4})(?:\\D.*)?", Pattern.DOTALL);
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private int hour = -1;
    private int minute;
    private int second;
    private int day = -1;
    private int month = -1;
    private int year = -1;

    private CookieDate() {}

    /// @return null if it is no date
    static @Nullable Instant parse(String text) {
        CookieDate date = new CookieDate();
        for (String token : DELIMITERS.split(text, -1)) {
            date.take(token);
        }
        return date.instant();
    }

    private void take(String token) {
        Matcher m = TIME.matcher(token);
        if (hour < 0 && m.matches()) {
            hour = Integer.parseInt(m.group(1));
            minute = Integer.parseInt(m.group(2));
            second = Integer.parseInt(m.group(3));
            return;
        }
        m = DAY.matcher(token);
        if (day < 0 && m.matches()) {
            day = Integer.parseInt(m.group(1));
            return;
        }
        int at = token.length() < 3 ? -1 : indexOfMonth(token);
        if (month < 0 && at >= 0) {
            month = at;
            return;
        }
        m = YEAR.matcher(token);
        if (year < 0 && m.matches()) {
            year = Integer.parseInt(m.group(1));
        }
    }

    private static int indexOfMonth(String token) {
        int at = MONTHS.indexOf(token.substring(0, 3).toLowerCase(Locale.ROOT));
        return at >= 0 && at % 3 == 0 ? at / 3 + 1 : -1;
    }

    private @Nullable Instant instant() {
        if (year >= 70 && year <= 99) {
            year += 1900;
        } else if (year >= 0 && year <= 69) {
            year += 2000;
        }
        if (hour < 0 || day < 0 || month < 0 || year < 1601) {
            return null;
        }
        try {
            return LocalDateTime.of(year, month, day, hour, minute, second)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
