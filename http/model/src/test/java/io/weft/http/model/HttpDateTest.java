package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
    private static final Instant RFC_EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");
    private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

    @Test
    void oneFormIsWritten() {
        assertThat(HttpDate.format(RFC_EXAMPLE)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        assertThatThrownBy(() -> HttpDate.format(Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994"
            })
    void threeFormsAreRead(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(RFC_EXAMPLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "sun, 06 Nov 1994 08:49:37 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Mon, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Wed, 30 Feb 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06 Nov 1994 08:49:37 GMT ",
                "Sun, 06 Nov 0001994 08:49:37 GMT and more"
            })
    void whatIsNoDateIsNoDate(String text) {
        assertThat(HttpDate.parse(text, NOW)).isNull();
    }

    @Test
    void everyInstantIsReadAsItWasWritten() {
        Instant at = Instant.parse("1970-01-01T00:00:00Z");
        for (int i = 0; i < 5000; i++) {
            assertThat(HttpDate.parse(HttpDate.format(at), NOW)).isEqualTo(at);
            at = at.plusSeconds(1_000_003L + i);
        }
    }

    /// As the JDK's formatter writes it, for days in all centuries of four digits.
    @Test
    void everyDayIsThatOfTheCalendar() {
        DateTimeFormatter formatter =
                DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT)
                        .withZone(ZoneOffset.UTC);
        Instant end = Instant.parse("9999-12-31T23:59:59Z");
        int days = 0;
        for (Instant at = Instant.parse("0000-01-01T00:00:00.5Z");
                at.isBefore(end);
                at = at.plusSeconds(86_400 * 11 + 7919)) {
            String text = formatter.format(at);
            assertThat(HttpDate.format(at)).isEqualTo(text);
            assertThat(HttpDate.parse(text, NOW)).isEqualTo(at.truncatedTo(ChronoUnit.SECONDS));
            days++;
        }
        assertThat(days).isGreaterThan(300_000);
        assertThat(HttpDate.format(end)).isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
        assertThat(HttpDate.parse("Fri, 31 Dec 9999 23:59:59 GMT", NOW)).isEqualTo(end);
    }

    /// Each character of each form, one at a time.
    @Test
    void aCharacterElsewhereOrOtherwiseIsNoDate() {
        for (String text :
                new String[] {
                    "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Sunday, 06-Nov-94 08:49:37 GMT",
                    "Sun Nov  6 08:49:37 1994"
                }) {
            for (int i = 0; i < text.length(); i++) {
                for (char c : "\u0000 /:,-x\u0660\u0130".toCharArray()) {
                    String changed = text.substring(0, i) + c + text.substring(i + 1);
                    if (!changed.equals(text)) {
                        assertThat(HttpDate.parse(changed, NOW)).as(changed).isNull();
                    }
                }
                assertThat(HttpDate.parse(text.substring(0, i) + text.substring(i + 1), NOW))
                        .as("without %s", i)
                        .isNull();
            }
        }
    }

    @Test
    void daysThatAMonthDoesNotHaveAreNoDays() {
        assertThat(HttpDate.parse("Thu, 29 Feb 2024 00:00:00 GMT", NOW)).isNotNull();
        assertThat(HttpDate.parse("Wed, 29 Feb 2023 00:00:00 GMT", NOW)).isNull();
        assertThat(HttpDate.parse("Wed, 01 Mar 2023 00:00:00 GMT", NOW)).isNotNull();
        assertThat(HttpDate.parse("Thu, 29 Feb 1900 00:00:00 GMT", NOW)).isNull();
        assertThat(HttpDate.parse("Mon, 00 Jan 2024 00:00:00 GMT", NOW)).isNull();
        assertThat(HttpDate.parse("Sun, 31 Apr 2023 00:00:00 GMT", NOW)).isNull();
        assertThat(HttpDate.parse("Sunday, 29-Feb-04 00:00:00 GMT", Instant.MAX)).isNull();
    }

    @Test
    void aYearOfTwoDigitsIsNearAndALeapSecondIsTheLastOne() {
        assertThat(HttpDate.parse("Saturday, 21-Nov-26 00:00:00 GMT", NOW)).isEqualTo(NOW);
        assertThat(HttpDate.parse("Saturday, 31-Dec-16 23:59:60 GMT", NOW))
                .isEqualTo(Instant.parse("2016-12-31T23:59:59Z"));
    }

    @Test
    void fiftyYearsAreCountedToTheSecond() {
        assertThat(HttpDate.parse("Saturday, 21-Nov-76 00:00:00 GMT", NOW))
                .isEqualTo(Instant.parse("2076-11-21T00:00:00Z"));
        assertThat(HttpDate.parse("Sunday, 21-Nov-76 00:00:01 GMT", NOW))
                .isEqualTo(Instant.parse("1976-11-21T00:00:01Z"));
        assertThat(HttpDate.parse("Friday, 31-Dec-76 23:59:59 GMT", NOW))
                .isEqualTo(Instant.parse("1976-12-31T23:59:59Z"));
        assertThat(HttpDate.parse("Sunday, 29-Feb-04 00:00:00 GMT", NOW))
                .isEqualTo(Instant.parse("2004-02-29T00:00:00Z"));
        assertThat(
                        HttpDate.parse(
                                "Friday, 01-Jan-10 00:00:00 GMT",
                                Instant.parse("2099-01-01T00:00:00Z")))
                .isNull(); // 2110 begins with a Wednesday
        assertThat(
                        HttpDate.parse(
                                "Wednesday, 01-Jan-10 00:00:00 GMT",
                                Instant.parse("2099-01-01T00:00:00Z")))
                .isEqualTo(Instant.parse("2110-01-01T00:00:00Z"));
    }
}
