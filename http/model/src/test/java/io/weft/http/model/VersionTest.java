package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {
    @ParameterizedTest
    @CsvSource({"HTTP_1_0, HTTP/1.0, 1.0", "HTTP_1_1, HTTP/1.1, 1.1", "HTTP_2, HTTP/2, 2"})
    void numberIsBehindTheName(Version version, String text, String number) {
        assertThat(version).hasToString(text);
        assertThat(version.number()).isEqualTo(number);
    }
}
