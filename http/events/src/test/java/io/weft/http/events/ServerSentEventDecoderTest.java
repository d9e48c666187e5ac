package io.weft.http.events;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.LimitExceededException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ServerSentEventDecoderTest {
    /// A stream, with bytes as Latin-1, and all its events.
    record Golden(String what, String wire, List<ServerSentEvent> events) {
        @Override
        public String toString() {
            return what;
        }
    }

    static final List<Golden> GOLDEN =
            List.of(
                    golden(
                            "stocks, of the specification",
                            "data: YHOO\ndata: +2\ndata: 10\n\n",
                            ServerSentEvent.of("YHOO\n+2\n10")),
                    golden(
                            "four blocks, of the specification",
                            """
                            : test stream

                            data: first event
                            id: 1

                            data:second event
                            id

                            data:  third event

                            """,
                            ServerSentEvent.of("first event").withId("1"),
                            ServerSentEvent.of("second event").withId(""),
                            ServerSentEvent.of(" third event")),
                    golden(
                            "empty data, of the specification",
                            "data\n\ndata\ndata\n\ndata:",
                            ServerSentEvent.of(""),
                            ServerSentEvent.of("\n")),
                    golden(
                            "one optional space, of the specification",
                            "data:test\n\ndata: test\n\n",
                            ServerSentEvent.of("test"),
                            ServerSentEvent.of("test")),
                    golden(
                            "types, of the specification",
                            """
                            event: add
                            data: 73857293

                            event: remove
                            data: 2153

                            event: add
                            data: 113411

                            """,
                            ServerSentEvent.of("add", "73857293"),
                            ServerSentEvent.of("remove", "2153"),
                            ServerSentEvent.of("add", "113411")),
                    golden(
                            "every end of a line",
                            "data: a\rdata: b\r\ndata: c\n\r\r\n\r\ndata: d\r\r",
                            ServerSentEvent.of("a\nb\nc"),
                            ServerSentEvent.of("d")),
                    golden("LF behind CR CR LF", "data: a\r\r\n\ndata: b\n\n", of("a", "b")),
                    golden("byte order mark", "\u00EF\u00BB\u00BFdata: a\n\n", of("a")),
                    golden("mark before a blank line", "\u00EF\u00BB\u00BF\n", of()),
                    golden(
                            "second mark is of a name",
                            "\u00EF\u00BB\u00BF\u00EF\u00BB\u00BFdata: a\n\ndata: b\n\n",
                            of("b")),
                    golden("later mark is of a name", "\n\u00EF\u00BB\u00BFdata: a\n\n", of()),
                    golden(
                            "half a mark is of a name",
                            "\u00EF\u00BBdata: a\n\ndata: b\n\n",
                            of("b")),
                    golden(
                            "unknown fields and comments",
                            ":data: x\nDATA: x\ndata : x\ndat: x\ndatas: x\nxyz\ndata: a:b\n\n",
                            of("a:b")),
                    golden("tab is no space", "data:\ta\n\ndata:  b\n\n", of("\ta", " b")),
                    golden(
                            "type without data is gone",
                            "event: x\n\ndata: a\n\nevent: y\nevent\ndata: b\n\n",
                            of("a", "b")),
                    golden(
                            "id with NUL",
                            "id: 1\nid: a\0b\ndata: a\n\n",
                            ServerSentEvent.of("a").withId("1")),
                    golden(
                            "retry",
                            "retry: 10\nretry: +1\nretry: -1\nretry: 1.5\nretry\nretry:  1\ndata: a\n\n",
                            ServerSentEvent.of("a").withRetry(Duration.ofMillis(10))),
                    golden(
                            "retry beyond a long",
                            "retry: 99999999999999999999999\ndata: a\n\n",
                            ServerSentEvent.of("a").withRetry(Duration.ofMillis(Long.MAX_VALUE))),
                    golden(
                            "UTF-8",
                            "data: \u00C3\u00A4\u00F0\u009F\u0098\u0080\n\n",
                            of("ä\uD83D\uDE00")),
                    golden(
                            "not UTF-8, of Unicode's table 3-8",
                            "data: a\u00F1\u0080\u0080\u00E1\u0080\u00C2b\u0080c\u0080\u00BFd\n\n",
                            of("a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd")),
                    golden("surrogate", "data: \u00ED\u00A0\u0080\n\n", of("\uFFFD\uFFFD\uFFFD")),
                    golden("longer form than needed", "data: \u00C0\u00AF\n\n", of("\uFFFD\uFFFD")),
                    golden(
                            "character cut off by a line's end",
                            "data: \u00F0\u009F\u0098\ndata: \u0080\n\n",
                            of("\uFFFD\n\uFFFD")),
                    golden("event that is cut off", "data: a\n\ndata: b\n", of("a")));

    private static Golden golden(String what, String wire, ServerSentEvent... events) {
        return new Golden(what, wire, List.of(events));
    }

    private static ServerSentEvent[] of(String... data) {
        return List.of(data).stream().map(ServerSentEvent::of).toArray(ServerSentEvent[]::new);
    }

    private final ServerSentEventDecoder decoder = new ServerSentEventDecoder();
    private final Cumulation cumulation = new Cumulation();
    private final List<ServerSentEvent> events = new ArrayList<>();

    private void receive(String piece) {
        Buffer in = BufferAllocator.pooled().allocate(Math.max(1, piece.length()));
        in.writeBytes(piece.getBytes(ISO_8859_1));
        decoder.decode(cumulation.add(in), events::add);
        cumulation.trim();
    }

    private void end() {
        cumulation.release();
        decoder.end(events::add);
    }

    @ParameterizedTest
    @FieldSource("GOLDEN")
    void decodesAsSpecified(Golden golden) {
        receive(golden.wire());
        end();
        assertThat(events).isEqualTo(golden.events());
    }

    @Test
    void eventDoesNotWaitForTheLineFeedBehindItsReturn() {
        receive("data: a\r\n\r");
        assertThat(events).containsExactly(of("a"));
        receive("\n");
        receive("data: b\r");
        receive("\n");
        assertThat(events).containsExactly(of("a"));
        receive("\n");
        assertThat(events).containsExactly(of("a", "b"));
        end();
    }

    @Test
    void idOfTheStreamChangesWithTheEndOfItsEvent() {
        assertThat(decoder.lastEventId()).isEmpty();
        receive("data: a\nid: 1\n");
        assertThat(decoder.lastEventId()).isEmpty();
        receive("\ndata: b\n\n");
        assertThat(decoder.lastEventId()).isEqualTo("1");
        receive("id: 2\n\n");
        assertThat(events).hasSize(2);
        assertThat(decoder.lastEventId()).isEqualTo("2");
        receive("id\n\nid: 3\n");
        end();
        assertThat(decoder.lastEventId()).isEmpty();
    }

    @Test
    void retryOfTheStreamIsTheLastOne() {
        assertThat(decoder.retry()).isNull();
        receive("retry: 100\n");
        assertThat(decoder.retry()).isEqualTo(Duration.ofMillis(100));
        receive("retry: x\n\ndata: a\n\n");
        assertThat(decoder.retry()).isEqualTo(Duration.ofMillis(100));
        assertThat(events).singleElement().extracting(ServerSentEvent::retry).isNull();
        end();
    }

    @Test
    void limitsAreExact() {
        EventLimits limits = new EventLimits(20, 30);
        assertThat(failure(limits, "data:" + "x".repeat(15) + "\n\n")).isNull();
        assertThat(failure(limits, "data:" + "x".repeat(16) + "\n\n"))
                .isEqualTo("bytes of a line: 21 (expected: at most 20)");
        assertThat(failure(limits, "data:123456789\n".repeat(3) + "\n")).isNull();
        assertThat(failure(limits, "data:123456789\n".repeat(3) + "data\n\n"))
                .isEqualTo("bytes of an event: 31 (expected: at most 30)");
        assertThat(failure(limits, ("data:123456789\n".repeat(3) + "\n").repeat(3))).isNull();
    }

    private static @Nullable String failure(EventLimits limits, String wire) {
        var limited = new ServerSentEventDecoder(limits);
        try (Buffer in = BufferAllocator.pooled().allocate(wire.length())) {
            in.writeBytes(wire.getBytes(ISO_8859_1));
            limited.decode(in, _ -> {});
            return null;
        } catch (LimitExceededException e) {
            return e.getMessage();
        }
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> EventLimits.DEFAULT.withLineBytes(15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lineBytes: 15 (expected: 16 to 1073741824)");
        assertThatThrownBy(() -> EventLimits.DEFAULT.withEventBytes(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("eventBytes: -1");
    }
}
