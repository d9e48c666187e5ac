package io.weft.http.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcatenatedBodyTest {
    private static Body.Stream stream(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Body.of(new ByteArrayInputStream(bytes), bytes.length);
    }

    @Test
    void bodiesFollowEachOther() {
        Body.Stream all =
                Body.concat(
                        List.of(
                                Body.of("a"),
                                stream("bc"),
                                stream(""),
                                Body.empty(),
                                Body.of("x".repeat(40_000)),
                                stream("d")));
        assertThat(all.length()).isEqualTo(40_004);
        assertThat(all.asString()).isEqualTo("abc" + "x".repeat(40_000) + "d");
    }

    @Test
    void theLengthIsUnknownWithOneOfUnknownLength() {
        Body.Stream all =
                Body.concat(
                        List.of(Body.of("a"), Body.of(new ByteArrayInputStream(new byte[] {'b'}))));
        assertThat(all.length()).isEqualTo(-1);
        assertThat(all.asString()).isEqualTo("ab");
    }

    @Test
    void aPartShorterThanItsLengthFails() {
        Body.Stream all =
                Body.concat(List.of(Body.of(new ByteArrayInputStream(new byte[1]), 2), stream("")));
        assertThatThrownBy(all::asString).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void streamsThatHaveNotBegunAreClosedWithTheRest() {
        AtomicInteger closed = new AtomicInteger();
        BodySource source =
                new BodySource() {
                    @Override
                    public Step read(Buffer out) {
                        return Step.END;
                    }

                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                };
        Body.concat(List.of(Body.of("a"), Body.of(source), Body.of(source))).source().close();
        assertThat(closed).hasValue(2);
    }
}
