package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.http.http1.Http1Limits;
import io.weft.http.http2.Http2Limits;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Limits of a server, changed one by one.
class HttpServerLimitsTest {
    private static final HttpServerLimits DEFAULT = HttpServerLimits.DEFAULT;
    private static final Duration TIME = Duration.ofSeconds(7);

    private static List<String> changes(HttpServerLimits changed)
            throws ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        for (RecordComponent one : HttpServerLimits.class.getRecordComponents()) {
            Object before = one.getAccessor().invoke(DEFAULT);
            if (!before.equals(one.getAccessor().invoke(changed))) {
                names.add(one.getName());
            }
        }
        return names;
    }

    @Test
    void eachIsChangedByItself() throws ReflectiveOperationException {
        Http1Limits http1 = Http1Limits.DEFAULT.withInitialLine(100);
        Http2Limits http2 = Http2Limits.DEFAULT.withStreams(7);
        assertThat(changes(DEFAULT.withHttp1(http1))).containsExactly("http1");
        assertThat(changes(DEFAULT.withHttp2(http2))).containsExactly("http2");
        assertThat(changes(DEFAULT.withBody(7))).containsExactly("body");
        assertThat(changes(DEFAULT.withStreamedBody(7))).containsExactly("streamedBody");
        assertThat(changes(DEFAULT.withHeadTimeout(TIME))).containsExactly("headTimeout");
        assertThat(changes(DEFAULT.withIdleTimeout(TIME))).containsExactly("idleTimeout");
        assertThat(changes(DEFAULT.withBodyGrace(TIME))).containsExactly("bodyGrace");
        assertThat(changes(DEFAULT.withBodyRate(7))).containsExactly("bodyRate");
        assertThat(changes(DEFAULT.withStallTimeout(TIME))).containsExactly("stallTimeout");
        assertThat(changes(DEFAULT.withHalfCloseTimeout(TIME))).containsExactly("halfCloseTimeout");
    }

    @Test
    void whatIsOutOfRangeIsNamedWithItsRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULT.withBodyGrace(Duration.ZERO))
                .withMessage("bodyGrace: PT0S (expected: above 0, at most a day)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULT.withBodyRate(0))
                .withMessage("bodyRate: 0 (expected: at least 1)");
    }
}
