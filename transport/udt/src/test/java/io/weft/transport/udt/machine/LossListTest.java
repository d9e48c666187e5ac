package io.weft.transport.udt.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LossListTest {
    private final LossList list = new LossList();

    /// The list beside a set of bits, from a committed seed.
    @Test
    void keepsTheNumbersThatASetOfBitsKeeps() {
        Random random = new Random(1);
        BitSet model = new BitSet();
        for (int i = 0; i < 20_000; i++) {
            int first = random.nextInt(500);
            int last = first + random.nextInt(8);
            switch (random.nextInt(8)) {
                case 0 -> {
                    list.remove(first, last);
                    model.clear(first, last + 1);
                }
                case 1 -> {
                    int end = random.nextInt(50);
                    list.removeBelow(end);
                    model.clear(0, end);
                }
                case 2 -> {
                    if (!list.isEmpty()) {
                        assertThat(list.removeFirst()).isEqualTo(model.nextSetBit(0));
                        model.clear(model.nextSetBit(0));
                    }
                }
                default -> {
                    list.add(first, last);
                    model.set(first, last + 1);
                }
            }
            assertThat(list.length()).isEqualTo(model.cardinality());
            assertThat(list.isEmpty()).isEqualTo(model.isEmpty());
            if (!list.isEmpty()) {
                assertThat(list.first()).isEqualTo(model.nextSetBit(0));
            }
        }
    }

    /// A peer asks for every other packet of a large window, from the last to the first.
    @Test
    void rangesAreBounded() {
        for (long number = 200_000; number >= 0; number -= 2) {
            list.add(number, number);
        }
        assertThat(list.ranges()).isEqualTo(LossList.MAX_RANGES);
        list.add(0, 200_000); // which touches them
        assertThat(list.ranges()).isEqualTo(1);
        assertThat(list.length()).isEqualTo(200_001);
    }
}
