package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeClassesTest {
    @Test
    void aClassIsTheSmallestThatHoldsWhatIsAskedFor() {
        for (int capacity = 0;
                capacity <= SizeClasses.MAX_SIZE;
                capacity += capacity < 9000 ? 1 : 61) {
            int sizeClass = SizeClasses.of(capacity);
            assertThat(SizeClasses.size(sizeClass)).isGreaterThanOrEqualTo(capacity);
            if (sizeClass > 0) {
                assertThat(SizeClasses.size(sizeClass - 1)).isLessThan(Math.max(1, capacity));
            }
        }
        assertThat(SizeClasses.of(SizeClasses.MAX_SIZE)).isEqualTo(SizeClasses.COUNT - 1);
        assertThat(SizeClasses.size(SizeClasses.COUNT - 1)).isEqualTo(SizeClasses.MAX_SIZE);
    }

    @Test
    void blocksAreAlignedToCacheLines() {
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            assertThat(SizeClasses.size(c) % 64).isZero();
        }
    }

    @Test
    void littleIsWasted() {
        for (int c = 4; c < SizeClasses.COUNT; c++) {
            int size = SizeClasses.size(c);
            assertThat(size - SizeClasses.size(c - 1))
                    .as("in a block")
                    .isLessThanOrEqualTo(size / 5);
            int slab = SizeClasses.units(c) * SizeClasses.UNIT;
            assertThat(slab).isLessThanOrEqualTo(Chunk.SIZE);
            int blocks = SizeClasses.blocks(c);
            assertThat(slab - blocks * size).as("behind blocks").isLessThanOrEqualTo(slab / 16);
            assertThat(blocks).isLessThanOrEqualTo(Short.MAX_VALUE);
        }
    }
}
