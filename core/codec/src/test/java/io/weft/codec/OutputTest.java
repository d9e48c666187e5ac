package io.weft.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputTest {
    private final Output out = new Output();

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    private List<Integer> lengths() {
        List<Integer> lengths = new ArrayList<>();
        out.drain(
                b -> {
                    lengths.add(b.readableBytes());
                    b.release();
                });
        return lengths;
    }

    @Test
    void smallPiecesAreGatheredAndLargeOnesTravelAsTheyAre() {
        out.buffer(1).writeAscii("ab");
        out.add(bytes(10));
        Buffer large = bytes(1000);
        out.add(large);
        out.buffer(1).writeAscii("c");
        assertThat(out.size()).isEqualTo(1013);
        Buffer first = out.next();
        assertThat(first).isNotNull();
        assertThat(first.readString(US_ASCII)).isEqualTo("abxxxxxxxxxx");
        first.release();
        assertThat(out.next()).isSameAs(large);
        large.release();
        assertThat(lengths()).containsExactly(1);
    }

    @Test
    void rollbackForgetsWhatWasAddedSinceTheMark() {
        out.buffer(1).writeAscii("kept");
        Output.Mark mark = out.mark();
        out.buffer(1).writeAscii("forgotten");
        out.add(bytes(1000));
        out.buffer(1).writeAscii("forgotten");
        out.rollback(mark);
        out.buffer(1).writeAscii("!");
        assertThat(lengths()).containsExactly(5);
    }

    @Test
    void rollbackToNothing() {
        Output.Mark mark = out.mark();
        out.add(bytes(1000));
        out.add(bytes(2000));
        out.rollback(mark);
        assertThat(out.size()).isZero();
        assertThat(lengths()).isEmpty();
    }

    @Test
    void closeReleasesEverything() {
        out.buffer(1).writeAscii("ab");
        out.add(bytes(1000));
        out.close();
        assertThat(out.next()).isNull();
    }
}
