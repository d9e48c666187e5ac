package io.weft.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void smallPiecesBetweenLargeOnesKeepTheirPlaces() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            out.buffer(100).writeAscii("small" + i + "-".repeat(i * 10));
            expected.append("small").append(i).append("-".repeat(i * 10));
            out.add(bytes(1000));
            expected.append("x".repeat(1000));
            if (i % 3 == 0) {
                out.add(bytes(600));
                expected.append("x".repeat(600));
            }
        }
        assertThat(out.size()).isEqualTo(expected.length());
        StringBuilder got = new StringBuilder();
        out.drain(
                b -> {
                    got.append(b.readString(US_ASCII));
                    b.release();
                });
        assertThat(got.toString()).isEqualTo(expected.toString());
        assertThat(out.size()).isZero();
    }

    @Test
    void rollbackBetweenLargePieces() {
        out.buffer(1).writeAscii("a");
        out.add(bytes(1000));
        out.add(bytes(2000));
        Output.Mark mark = out.mark();
        out.buffer(1).writeAscii("forgotten");
        out.add(bytes(3000));
        out.add(bytes(4000));
        out.buffer(1).writeAscii("forgotten");
        out.rollback(mark);
        out.buffer(1).writeAscii("bc");
        assertThat(out.size()).isEqualTo(3003);
        assertThat(lengths()).containsExactly(1, 1000, 2000, 2);
    }

    @Test
    void piecesThatAreAddedWhileDrainingComeBehind() {
        out.buffer(1).writeAscii("a");
        out.add(bytes(1000));
        out.buffer(1).writeAscii("b");
        List<Integer> lengths = new ArrayList<>();
        out.drain(
                b -> {
                    if (lengths.isEmpty()) {
                        out.add(bytes(600));
                        out.buffer(1).writeAscii("cc");
                    }
                    lengths.add(b.readableBytes());
                    b.release();
                });
        assertThat(lengths).containsExactly(1, 1000, 1, 600, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 40})
    void anOutputThatIsNeverEmptyKeepsOrderAndSize(int depth) {
        List<Integer> expected = new ArrayList<>();
        List<Integer> taken = new ArrayList<>();
        long size = 0;
        for (int i = 0; i < 1000; i++) {
            out.buffer(1).writeAscii("s");
            out.add(bytes(513 + i));
            expected.addAll(List.of(1, 513 + i));
            size += 514 + i;
            if (i >= depth) {
                for (int k = 0; k < 2; k++) {
                    Buffer next = out.next();
                    assertThat(next).isNotNull();
                    size -= next.readableBytes();
                    taken.add(next.readableBytes());
                    next.release();
                }
            }
            assertThat(out.size()).isEqualTo(size);
        }
        taken.addAll(lengths());
        assertThat(taken).isEqualTo(expected);
        assertThat(out.size()).isZero();
    }
}
