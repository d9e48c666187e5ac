package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
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
