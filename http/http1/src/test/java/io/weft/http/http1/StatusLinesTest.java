package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Status;
import org.junit.jupiter.api.Test;

class StatusLinesTest {
    @Test
    void everyStatusHasItsLine() {
        for (int code = 100; code < 600; code++) {
            Status status = Status.of(code);
            assertThat(new String(StatusLines.of(status), US_ASCII))
                    .isEqualTo("HTTP/1.1 " + code + " " + status.reason() + "\r\n");
            assertThat(StatusLines.of(status)).isSameAs(StatusLines.of(status));
        }
    }
}
