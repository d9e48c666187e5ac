package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VarintTest {
    private final Buffer b = BufferAllocator.pooled().allocate(32);

    @AfterEach
    void everyBufferWasReleased() {
        b.release();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Buffer bytes(int... values) {
        b.clear();
        for (int value : values) {
            b.writeByte(value);
        }
        return b;
    }

    @Test
    void knownEncodings() {
        Varint.writeInt(b, 300);
        assertThat(b.contentEquals(0, new byte[] {(byte) 0xAC, 2}, 0, 2)).isTrue();
        assertThat(Varint.readInt(b)).isEqualTo(300);
        Varint.writeInt(b.clear(), -1);
        assertThat(b.readableBytes()).isEqualTo(5);
        Varint.writeLong(b.clear(), -1);
        assertThat(b.readableBytes()).isEqualTo(10);
        assertThat(Varint.size(0)).isEqualTo(1);
        assertThat(Varint.size(127)).isEqualTo(1);
        assertThat(Varint.size(128)).isEqualTo(2);
        assertThat(Varint.size(-1)).isEqualTo(10);
        assertThat(Varint.zigZag(-1L)).isEqualTo(1);
        assertThat(Varint.zigZag(Integer.MIN_VALUE)).isEqualTo(-1);
    }

    @Test
    void whatIsWrittenIsRead() {
        Random random = new Random(5);
        for (int round = 0; round < 10_000; round++) {
            long value = random.nextLong() >>> random.nextInt(64);
            Varint.writeLong(b.clear(), value);
            assertThat(b.readableBytes()).isEqualTo(Varint.size(value));
            assertThat(Varint.encodedLength(b)).isEqualTo(Varint.size(value));
            assertThat(Varint.readLong(b)).isEqualTo(value);
            assertThat(b.isReadable()).isFalse();
            Varint.writeInt(b.clear(), (int) value);
            assertThat(Varint.readInt(b)).isEqualTo((int) value);
            assertThat(Varint.unZigZag(Varint.zigZag(value))).isEqualTo(value);
            assertThat(Varint.unZigZag(Varint.zigZag((int) value))).isEqualTo((int) value);
        }
    }

    @Test
    void anUnfinishedNumberIsNotTouched() {
        bytes(0x80, 0x80);
        assertThat(Varint.encodedLength(b)).isZero();
        assertThatThrownBy(() -> Varint.readInt(b)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(b.readableBytes()).isEqualTo(2);
        assertThat(Varint.encodedLength(bytes())).isZero();
    }

    @Test
    void numbersThatDoNotFitAreRefused() {
        bytes(0xFF, 0xFF, 0xFF, 0xFF, 0x1F);
        assertThatThrownBy(() -> Varint.readInt(b))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(expected: at most 32 bits)");
        assertThat(Varint.readLong(b)).isEqualTo(0x1_FFFF_FFFFL);
        bytes(0x80, 0x80, 0x80, 0x80, 0x80, 1);
        assertThatThrownBy(() -> Varint.readInt(b)).isInstanceOf(IllegalArgumentException.class);
        bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2);
        assertThatThrownBy(() -> Varint.readLong(b)).isInstanceOf(IllegalArgumentException.class);
        bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80);
        assertThatThrownBy(() -> Varint.encodedLength(b))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
