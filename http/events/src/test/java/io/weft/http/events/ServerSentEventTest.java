package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSentEventTest {
    private static String text(ServerSentEvent event) {
        return new String(event.toBytes(), UTF_8);
    }

    @Test
    void fieldsAreLines() {
        assertThat(text(ServerSentEvent.of("a"))).isEqualTo("data: a\n\n");
        assertThat(
                        text(
                                ServerSentEvent.of("add", "ä")
                                        .withId("7")
                                        .withRetry(Duration.ofNanos(1_999_999))))
                .isEqualTo("event: add\nid: 7\nretry: 1\ndata: ä\n\n");
        assertThat(text(ServerSentEvent.of("").withId(""))).isEqualTo("id: \ndata: \n\n");
    }

    @Test
    void eachLineOfDataIsALine() {
        assertThat(text(ServerSentEvent.of("a\nb\r\nc\rd\n\re\r")))
                .isEqualTo("data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: e\ndata: \n\n");
        assertThat(text(ServerSentEvent.of("\nevent: x"))).isEqualTo("data: \ndata: event: x\n\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "a\nb", "a\r\n"})
    void typesAndIdsWithLineBreaksAreRefused(String value) {
        assertThatThrownBy(() -> ServerSentEvent.of(value, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("type: U\\+000[AD] at [01] \\(expected: no line break\\)");
        assertThatThrownBy(() -> ServerSentEvent.of("x").withId(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "id: U\\+000[AD] at [01] \\(expected: no line break and no NUL\\)");
    }

    @Test
    void whatNoReceiverWouldTakeIsRefused() {
        assertThatThrownBy(() -> ServerSentEvent.of("x").withId("a\0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("id: U+0000 at 1 (expected: no line break and no NUL)");
        assertThatThrownBy(() -> ServerSentEvent.of("", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("type: empty (expected: null, or a name)");
        assertThatThrownBy(() -> ServerSentEvent.of("x").withRetry(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retry: PT-0.001S (expected: 0 to 2^63 - 1 milliseconds)");
        assertThatThrownBy(
                        () -> ServerSentEvent.of("x").withRetry(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
