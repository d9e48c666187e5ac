package io.weft.codec.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MaskKeysTest {
    private static final int KEYS = 20_000;

    /// Two of 20,000 keys are the same in one of 21 runs; forty are in none.
    @Test
    void keysDoNotRepeat() {
        Set<Integer> seen = new HashSet<>();
        MaskKeys keys = new MaskKeys();
        for (int i = 0; i < KEYS; i++) {
            seen.add(keys.getAsInt());
        }
        assertThat(seen).hasSizeGreaterThan(KEYS - 40);
    }

    @Test
    void connectionsHaveKeysOfTheirOwn() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(new MaskKeys().getAsInt());
        }
        assertThat(seen).hasSizeGreaterThan(990);
    }

    /// Each bit is set in half of the keys, give or take ten standard deviations.
    @Test
    void everyBitIsSetInHalfOfTheKeys() {
        int[] set = new int[Integer.SIZE];
        MaskKeys keys = new MaskKeys();
        for (int i = 0; i < KEYS; i++) {
            int key = keys.getAsInt();
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                set[bit] += key >>> bit & 1;
            }
        }
        for (int count : set) {
            assertThat(count).isBetween(KEYS / 2 - 710, KEYS / 2 + 710);
        }
    }
}
