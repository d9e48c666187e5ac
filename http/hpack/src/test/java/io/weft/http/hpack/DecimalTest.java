package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    private final byte[] digits = new byte[Decimal.MAX_LENGTH];

    @ParameterizedTest
    @ValueSource(
            longs = {0, 1, 9, 10, 11, 99, 100, 65_536, 999_999_999_999_999_999L, Long.MAX_VALUE})
    void writesWhatLongDoes(long number) {
        int length = Decimal.write(number, digits);
        assertThat(new String(digits, 0, length, US_ASCII)).isEqualTo(Long.toString(number));
    }

    @Test
    void refusesNumbersBelowZero() {
        assertThatThrownBy(() -> Decimal.write(-1, digits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("number: -1 (expected: at least 0)");
    }
}
