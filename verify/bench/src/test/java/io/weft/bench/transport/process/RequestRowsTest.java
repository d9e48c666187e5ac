package io.weft.bench.transport.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RequestRowsTest {
    private record Answer(String name, boolean tls) implements RequestRows.Shape {
        @Override
        public Map<String, String> params() {
            return Map.of("tls", Boolean.toString(tls));
        }
    }

    private static final Answer PLAIN = new Answer("plain", false);
    private static final Answer SECURE = new Answer("secure", true);

    private static List<Answer> wanted(String only) {
        return new RequestRows("Wrk")
                .wanted(List.of(PLAIN, SECURE), new Measured(Pattern.compile(only).asPredicate()));
    }

    @Test
    void areChosenByOperationOrByParameters() {
        assertThat(wanted("Wrk")).containsExactly(PLAIN, SECURE);
        assertThat(wanted("Wrk/P99")).containsExactly(PLAIN, SECURE);
        assertThat(wanted("Wrk/Rate tls=true")).containsExactly(SECURE);
        assertThat(wanted("H2load")).isEmpty();
    }
}
