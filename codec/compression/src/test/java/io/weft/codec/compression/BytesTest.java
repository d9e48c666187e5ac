package io.weft.codec.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
    private static final int MOST = 200;

    private final byte[] noise = new byte[2 * MOST + Bytes.SLACK];

    BytesTest() {
        new Random(1).nextBytes(noise);
    }

    @Test
    void matchesOfAnyDistanceAndLengthAreCopiedByteAfterByte() {
        for (int distance = 1; distance <= MOST; distance++) {
            for (int length = 1; length <= MOST; length++) {
                byte[] expected = noise.clone();
                for (int i = MOST; i < MOST + length; i++) {
                    expected[i] = expected[i - distance];
                }
                byte[] copied = noise.clone();
                Bytes.copyMatch(copied, MOST, distance, length);
                int end = MOST + length;
                assertThat(Arrays.mismatch(copied, 0, end, expected, 0, end))
                        .as("distance %s, length %s", distance, length)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void nothingIsWrittenBeyondTheSlack() {
        for (int distance = 1; distance <= MOST; distance++) {
            for (int length = 1; length <= MOST; length++) {
                byte[] copied = noise.clone();
                Bytes.copyMatch(copied, MOST, distance, length);
                int from = MOST + length + Bytes.SLACK;
                assertThat(Arrays.mismatch(copied, from, copied.length, noise, from, noise.length))
                        .as("distance %s, length %s", distance, length)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void commonBytesAreCountedToTheFirstThatDiffersOrTheEnd() {
        for (int length = 0; length < 40; length++) {
            for (int differs = 0; differs <= length; differs++) {
                byte[] in = new byte[100];
                in[50 + differs] = 1;
                assertThat(Bytes.common(in, 3, 50, 50 + length))
                        .as("%s bytes, the one at %s another", length, differs)
                        .isEqualTo(differs);
            }
        }
    }
}
