package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.BufferAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitsTest {
    private static final String START = "GET / HTTP/1.1\r\n";
    private static final String CHUNKED =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Http1Limits SMALL = new Http1Limits(32, 64, 16, 8);

    /// The outcome does not depend on segments here either.
    private static List<String> decode(Http1Limits limits, String input) {
        try (Trace whole = new Trace(limits);
                Trace bytes = new Trace(limits)) {
            for (int i = 0; i < input.length(); i++) {
                bytes.feed(input.substring(i, i + 1));
            }
            assertThat(bytes.events).isEqualTo(whole.feed(input).events);
            return whole.events;
        }
    }

    @Test
    void aRequestLineMayBeAsLongAsItsLimit() {
        String line = "GET /" + "a".repeat(18) + " HTTP/1.1";
        assertThat(line).hasSize(32);
        assertThat(decode(SMALL, line + "\r\nHost: a\r\n\r\n")).hasSize(2);
        assertThat(decode(SMALL, "GET /" + "a".repeat(19) + " HTTP/1.1\r\n"))
                .containsExactly("error 414");
        assertThat(decode(SMALL, "G".repeat(32))).isEmpty();
        assertThat(decode(SMALL, "G".repeat(33))).containsExactly("error 414");
    }

    @Test
    void aSectionMayBeAsLongAsItsLimit() {
        String fields = "Host: a\r\nb: " + "x".repeat(50) + "\r\n";
        assertThat(fields).hasSize(64);
        assertThat(decode(SMALL, START + fields + "\r\n")).hasSize(2);
        assertThat(decode(SMALL, START + fields.replace("b:", "bb:") + "\r\n"))
                .containsExactly("error 431");
        assertThat(decode(SMALL, START + fields + "c")).containsExactly("error 431");
        assertThat(decode(SMALL, START + "x".repeat(62))).isEmpty();
        assertThat(decode(SMALL, START + "x".repeat(63))).containsExactly("error 431");
    }

    @Test
    void fieldsAreCounted() {
        Http1Limits limits = Http1Limits.DEFAULT;
        String rest = "a: b\r\n".repeat(limits.headerFields() - 1);
        assertThat(decode(limits, START + "Host: a\r\n" + rest + "\r\n")).hasSize(2);
        assertThat(decode(limits, START + "Host: a\r\n" + rest + "a: b\r\n"))
                .containsExactly("error 431");
    }

    @Test
    void chunkExtensionsAreBoundedByLineAndByMessage() {
        assertThat(decode(SMALL, "")).isEmpty();
        String at = "5;" + "a".repeat(255) + "\r\nhello\r\n";
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + at + "0\r\n\r\n"))
                .last()
                .isEqualTo("end []");
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + "5;" + "a".repeat(256) + "\r\nhello"))
                .last()
                .isEqualTo("error 400");
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + "5;" + "a".repeat(300)))
                .last()
                .isEqualTo("error 400");
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + at.repeat(64) + "0\r\n\r\n"))
                .last()
                .isEqualTo("end []");
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + at.repeat(65)))
                .last()
                .isEqualTo("error 400");
    }

    @Test
    void trailersAreBoundedLikeHeaders() {
        String trailer = "x: " + "y".repeat(8000) + "\r\n";
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + "0\r\n" + trailer.repeat(2) + "\r\n"))
                .hasSize(2);
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + "0\r\n" + trailer.repeat(3)))
                .last()
                .isEqualTo("error 431");
        assertThat(decode(Http1Limits.DEFAULT, CHUNKED + "0\r\n" + "a: b\r\n".repeat(101)))
                .last()
                .isEqualTo("error 431");
    }

    @Test
    void declaredLengthsReserveNothing() {
        long before = BufferAllocator.pooled().metrics().used();
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            trace.feed(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nx");
            assertThat(trace.events).hasSize(2);
            assertThat(BufferAllocator.pooled().metrics().used() - before)
                    .isLessThanOrEqualTo(4096);
        }
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            trace.feed(CHUNKED + "7fffffffffffffff\r\nx");
            assertThat(trace.events).hasSize(2);
            assertThat(BufferAllocator.pooled().metrics().used() - before)
                    .isLessThanOrEqualTo(4096);
        }
    }

    /// Linear time, shown without a clock: what has been looked at is overwritten with bytes that
    /// would be refused, and put back for the one pass that takes the section.
    @Test
    void noByteIsLookedAtTwiceForTheEndOfItsLine() {
        String head = START + "Host: a\r\nb: " + "x".repeat(3000) + "\r\nc: " + "y".repeat(3000);
        String end = "\r\n\r\n";
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            trace.feed(START);
            for (int i = START.length(); i < head.length(); i++) {
                trace.feed(head.substring(i, i + 1));
                byte last = trace.feed.in.getByte(trace.feed.in.writeOffset() - 1);
                if (last != '\r' && last != '\n') {
                    trace.feed.in.setByte(trace.feed.in.writeOffset() - 1, 0);
                }
            }
            assertThat(trace.events).isEmpty();
            int start = trace.feed.in.readOffset();
            for (int i = START.length(); i < head.length(); i++) {
                trace.feed.in.setByte(start + i - START.length(), head.charAt(i));
            }
            assertThat(trace.feed(end).events).hasSize(2);
        }
    }

    @Test
    void limitsAreFiniteAndPositive() {
        assertThatThrownBy(() -> SMALL.withInitialLine(0))
                .hasMessage("initialLine: 0 (expected: 16 to 1048576)");
        assertThatThrownBy(() -> SMALL.withHeaderSection(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SMALL.withHeaderFields(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SMALL.withChunkExtensions(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SMALL.withChunkExtensions(0).chunkExtensions()).isZero();
    }

    @Test
    void eachLimitIsSetAloneUpToItsBounds() {
        Http1Limits least =
                SMALL.withInitialLine(16)
                        .withHeaderSection(16)
                        .withHeaderFields(16)
                        .withChunkExtensions(0);
        assertThat(least).isEqualTo(new Http1Limits(16, 16, 16, 0));
        int most = 1 << 20;
        assertThat(
                        least.withInitialLine(most)
                                .withHeaderSection(most)
                                .withHeaderFields(most)
                                .withChunkExtensions(most))
                .isEqualTo(new Http1Limits(most, most, most, most));
        assertThatThrownBy(() -> least.withHeaderFields(most + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
