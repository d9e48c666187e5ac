package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final long SIZE = 256;
    private final long address = Memory.allocate(SIZE, 64);

    @AfterEach
    void free() {
        Memory.free(address, SIZE);
    }

    @Test
    void allocatesAligned() {
        assertThat(address % 64).isZero();
    }

    @Test
    void readsBackWhatWasWrittenInEitherOrder() {
        Memory.putIntBE(address + 1, 0x01020304);
        assertThat(Memory.getByte(address + 1)).isEqualTo((byte) 1);
        assertThat(Memory.getIntLE(address + 1)).isEqualTo(0x04030201);
        Memory.putLongLE(address + 3, 0x0102030405060708L);
        assertThat(Memory.getLongBE(address + 3)).isEqualTo(0x0807060504030201L);
        Memory.putShortBE(address, (short) 0x1234);
        assertThat(Memory.getShortLE(address)).isEqualTo((short) 0x3412);
    }

    @Test
    void copiesOverlappingRangesLikeMemmove() {
        byte[] bytes = "abcdefgh".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        Memory.copy(bytes, 0, address, 8);
        Memory.copy(address, address + 2, 6);
        byte[] out = new byte[8];
        Memory.copy(address, out, 0, 8);
        assertThat(out).asString(java.nio.charset.StandardCharsets.US_ASCII).isEqualTo("ababcdef");
    }

    @Test
    void findsTheFirstDifference() {
        Memory.fill(address, SIZE, (byte) 7);
        assertThat(Memory.mismatch(address, address + 64, 64)).isEqualTo(-1);
        Memory.putByte(address + 70, (byte) 8);
        assertThat(Memory.mismatch(address, address + 64, 64)).isEqualTo(6);
    }

    @Test
    void byteBufferSharesTheMemory() {
        ByteBuffer view = Memory.byteBuffer(address, 16);
        view.putInt(4, 42);
        assertThat(Memory.getIntBE(address + 4)).isEqualTo(42);
        assertThat(view.isDirect()).isTrue();
    }
}
