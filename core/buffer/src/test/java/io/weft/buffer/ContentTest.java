package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContentTest {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Buffer of(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    @Test
    void theOrderIsThatOfUnsignedArrays() {
        Random random = new Random(3);
        for (int round = 0; round < 5000; round++) {
            byte[] x = new byte[random.nextInt(20)];
            byte[] y = new byte[random.nextInt(20)];
            for (byte[] each : new byte[][] {x, y}) {
                for (int i = 0; i < each.length; i++) {
                    each[i] = (byte) (random.nextBoolean() ? 0 : 0x80);
                }
            }
            try (Buffer a = of(x);
                    Buffer b = of(y)) {
                assertThat(Integer.signum(Buffer.compareContent(a, b)))
                        .isEqualTo(Integer.signum(Arrays.compareUnsigned(x, y)));
                assertThat(a.contentEquals(b)).isEqualTo(Arrays.equals(x, y));
            }
        }
    }

    @Test
    void theHashIsOfTheReadableBytesAlone() {
        byte[] bytes = new byte[37];
        new Random(4).nextBytes(bytes);
        try (Buffer a = of(bytes);
                Buffer b = BufferAllocator.pooled().allocate(100)) {
            b.writeByte(1).writeBytes(bytes).skipReadable(1);
            assertThat(b.contentHash()).isEqualTo(a.contentHash());
            Set<Integer> hashes = new HashSet<>();
            for (int i = 0; i < 37; i++) {
                a.setByte(i, a.getByte(i) ^ 1);
                hashes.add(a.contentHash());
            }
            hashes.add(b.contentHash());
            hashes.add(b.skipReadable(37).contentHash());
            assertThat(hashes).hasSize(39);
        }
    }

    @Test
    void equalityIsIdentity() {
        try (Buffer a = of(new byte[3]);
                Buffer b = a.copy()) {
            assertThat(a).isNotEqualTo(b);
            assertThat(Set.of(a, b)).contains(a, b);
        }
    }
}
