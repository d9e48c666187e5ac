package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StatusTest {
    @Test
    void aCodeIsOneObject() {
        for (int code = 100; code <= 599; code++) {
            assertThat(Status.of(code)).isSameAs(Status.of(code));
            assertThat(Status.of(code).code()).isEqualTo(code);
        }
        assertThat(Status.of(404)).isSameAs(Status.NOT_FOUND).hasToString("404 Not Found");
        assertThat(Status.of(299)).hasToString("299");
    }

    @Test
    void refusesCodesThatAreNoStatus() {
        assertThatThrownBy(() -> Status.of(99)).hasMessage("status: 99 (expected: 100 to 599)");
        assertThatThrownBy(() -> Status.of(600)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsWhichHaveNoContent() {
        assertThat(Status.CONTINUE.isWithoutContent()).isTrue();
        assertThat(Status.NO_CONTENT.isWithoutContent()).isTrue();
        assertThat(Status.NOT_MODIFIED.isWithoutContent()).isTrue();
        assertThat(Status.OK.isWithoutContent()).isFalse();
    }
}
