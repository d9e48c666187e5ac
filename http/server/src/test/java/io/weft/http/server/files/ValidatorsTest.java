package io.weft.http.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.HeaderName;
import io.weft.http.model.HttpDate;
import io.weft.http.model.Request;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ValidatorsTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    private final Validators validators = new Validators("\"x\"", TIME);

    private boolean allows(String condition, Instant now) {
        Request request = Request.get("/").withHeader(HeaderName.IF_RANGE, condition);
        return validators.allowsRange(request, now);
    }

    @Test
    void dateAllowsARangeOnceItsSecondIsOver() {
        String date = HttpDate.format(TIME);
        assertThat(allows(date, TIME)).isFalse();
        assertThat(allows(date, TIME.plusMillis(999))).isFalse();
        assertThat(allows(date, TIME.plusSeconds(1))).isTrue();
        assertThat(allows(date, TIME.minusSeconds(1))).isFalse();
    }

    @Test
    void tagAllowsARangeAtAnyTime() {
        assertThat(allows("\"x\"", TIME)).isTrue();
        assertThat(allows("W/\"x\"", TIME.plusSeconds(9))).isFalse();
    }
}
