package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FallbackHeapTest {
    private final MemorySegment space = Arena.ofAuto().allocate(1 << 20);

    @Test
    void whatWasUsedInSmallPiecesCanBeUsedInOne() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        List<long[]> pieces = new ArrayList<>();
        Random random = new Random(seed);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                long size = random.nextLong(1, 9000);
                                long alignment = 64L << random.nextInt(7);
                                pieces.add(new long[] {allocate(size, alignment), size});
                            }
                        })
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("io.weft.memory.fallback");
        Collections.shuffle(pieces, random);
        pieces.forEach(piece -> FallbackHeap.free(piece[0], piece[1]));
        long whole = allocate((1L << 20) - 4096, 4096);
        assertThat(whole).isEqualTo(4096);
        FallbackHeap.free(whole, (1L << 20) - 4096);
    }

    private long allocate(long size, long alignment) {
        long address = FallbackHeap.allocate(space, size, alignment);
        assertThat(address % alignment).isZero();
        return address;
    }
}
