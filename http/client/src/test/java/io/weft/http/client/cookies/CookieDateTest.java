package io.weft.http.client.cookies;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dates of cookies, as RFC 6265 reads them.
class CookieDateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "Sun, 06 Nov 1994 08:49:37 GMT | 1994-11-06T08:49:37Z",
                "Sunday, 06-Nov-94 08:49:37 GMT | 1994-11-06T08:49:37Z",
                "Sun Nov  6 08:49:37 1994 | 1994-11-06T08:49:37Z",
                "6 nov 94 8:49:37 | 1994-11-06T08:49:37Z",
                "1 January 2069 00:00:00 | 2069-01-01T00:00:00Z",
                "1 jan 70 00:00:00 | 1970-01-01T00:00:00Z",
                "08:49:37x 6th Nov 1994 | 1994-11-06T08:49:37Z",
                "31 Feb 2020 00:00:00 | none",
                "1 Jan 1600 00:00:00 | none",
                "1 Jan 2020 24:00:00 | none",
                "1 Jan 2020 | none",
                "1 2020 00:00:00 | none",
                "Jan 2020 00:00:00 | none",
                "'' | none"
            })
    void datesOfManyFormsAreRead(String text, @Nullable Instant expected) {
        assertThat(CookieDate.parse(text)).isEqualTo(expected);
    }
}
