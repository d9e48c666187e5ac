package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Headers.Field;
import org.junit.jupiter.api.Test;

class FieldValuesTest {
    @Test
    void constantsOfOneHashAreBothRemembered() {
        String one = "max-age=10";
        String other = "mix-age=10"; // as long, and with the same characters where the hash looks
        assertThat(HeaderName.fold(one)).isEqualTo(HeaderName.fold(other));

        Field first = FieldValues.of(HeaderName.CACHE_CONTROL, one);
        Field second = FieldValues.of(HeaderName.CACHE_CONTROL, other);

        for (int i = 0; i < 3; i++) {
            assertThat(FieldValues.of(HeaderName.CACHE_CONTROL, one)).isSameAs(first);
            assertThat(FieldValues.of(HeaderName.CACHE_CONTROL, other)).isSameAs(second);
        }
    }

    @Test
    void valuesThatMayBeSecretsAreNotRemembered() {
        String value = "session=0123";
        assertThat(FieldValues.of(HeaderName.COOKIE, value))
                .isNotSameAs(FieldValues.of(HeaderName.COOKIE, value));
        HeaderName unlisted = HeaderName.of("x-api-key");
        assertThat(FieldValues.of(unlisted, value)).isNotSameAs(FieldValues.of(unlisted, value));
    }
}
