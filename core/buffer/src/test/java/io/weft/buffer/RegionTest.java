package io.weft.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegionTest {
    private final Buffer b = BufferAllocator.pooled().allocate(64);
    private final byte[] bytes = new byte[64];
    private final ByteBuffer big = ByteBuffer.wrap(bytes);
    private final ByteBuffer little = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

    @AfterEach
    void everyBufferWasReleased() {
        b.release();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// The value at `index` as every type there is.
    private List<Object> asRead(int index) {
        return List.of(
                b.getByte(index),
                b.getUnsignedByte(index),
                b.getBoolean(index),
                b.getShort(index),
                b.getShortLE(index),
                b.getUnsignedShort(index),
                b.getUnsignedShortLE(index),
                b.getMedium(index),
                b.getMediumLE(index),
                b.getUnsignedMedium(index),
                b.getUnsignedMediumLE(index),
                b.getInt(index),
                b.getIntLE(index),
                b.getUnsignedInt(index),
                b.getUnsignedIntLE(index),
                b.getLong(index),
                b.getLongLE(index),
                b.getFloat(index),
                b.getFloatLE(index),
                b.getDouble(index),
                b.getDoubleLE(index));
    }

    private List<Object> expected(int index) {
        byte first = bytes[index];
        int bigMedium = big.getInt(index) >> 8;
        int littleMedium = little.getInt(index) << 8 >> 8;
        return List.of(
                first,
                Byte.toUnsignedInt(first),
                first != 0,
                big.getShort(index),
                little.getShort(index),
                Short.toUnsignedInt(big.getShort(index)),
                Short.toUnsignedInt(little.getShort(index)),
                bigMedium,
                littleMedium,
                bigMedium & 0xFFFFFF,
                littleMedium & 0xFFFFFF,
                big.getInt(index),
                little.getInt(index),
                Integer.toUnsignedLong(big.getInt(index)),
                Integer.toUnsignedLong(little.getInt(index)),
                big.getLong(index),
                little.getLong(index),
                big.getFloat(index),
                little.getFloat(index),
                big.getDouble(index),
                little.getDouble(index));
    }

    @Test
    void everyTypeAndOrderIsReadAsTheJdkReadsIt() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            random.nextBytes(bytes);
            b.setBytes(0, bytes, 0, bytes.length);
            for (int index = 0; index <= 56; index++) {
                assertThat(asRead(index)).isEqualTo(expected(index));
            }
        }
    }

    @Test
    void everyTypeAndOrderIsWrittenAsTheJdkWritesIt() {
        b.setByte(0, 0x1FF).setBoolean(1, true).setShort(2, -2).setShortLE(4, -3);
        b.setMedium(6, 0x123456).setMediumLE(9, 0x123456).setInt(12, -5).setIntLE(16, -6);
        b.setLong(20, -7).setLongLE(28, -8).setFloat(36, 1.5f).setFloatLE(40, 2.5f);
        b.setDouble(44, 3.5).setDoubleLE(52, 4.5).setBoolean(60, false);
        big.put(0, (byte) -1).put(1, (byte) 1).putShort(2, (short) -2);
        little.putShort(4, (short) -3);
        big.putInt(6, 0x12345600).putInt(9, 0x56341200).putInt(12, -5).putLong(20, -7);
        little.putInt(16, -6).putLong(28, -8).putFloat(40, 2.5f).putDouble(52, 4.5);
        big.putFloat(36, 1.5f).putDouble(44, 3.5);
        assertThat(b.contentEquals(0, bytes, 0, 61)).isTrue();
    }

    @Test
    void writingAndReadingInTurnGoesThroughTheSameValues() {
        b.writeByte(-1).writeBoolean(true).writeShort(-2).writeShortLE(-3).writeMedium(-4);
        b.writeMediumLE(-5).writeInt(-6).writeIntLE(-7).writeLong(-8).writeLongLE(-9);
        b.writeFloat(1.5f).writeFloatLE(2.5f).writeDouble(3.5).writeDoubleLE(4.5);
        int end = b.writeOffset();
        assertThat(b.readByte()).isEqualTo((byte) -1);
        assertThat(b.readBoolean()).isTrue();
        assertThat(b.readShort()).isEqualTo((short) -2);
        assertThat(b.readShortLE()).isEqualTo((short) -3);
        assertThat(b.readMedium()).isEqualTo(-4);
        assertThat(b.readMediumLE()).isEqualTo(-5);
        assertThat(b.readInt()).isEqualTo(-6);
        assertThat(b.readIntLE()).isEqualTo(-7);
        assertThat(b.readLong()).isEqualTo(-8);
        assertThat(b.readLongLE()).isEqualTo(-9);
        assertThat(b.readFloat()).isEqualTo(1.5f);
        assertThat(b.readFloatLE()).isEqualTo(2.5f);
        assertThat(b.readDouble()).isEqualTo(3.5);
        assertThat(b.readDoubleLE()).isEqualTo(4.5);
        assertThat(b.readOffset()).isEqualTo(end);
        b.readOffset(0);
        assertThat(b.readUnsignedByte()).isEqualTo(0xFF);
        b.readOffset(2);
        assertThat(b.readUnsignedShort()).isEqualTo(0xFFFE);
        assertThat(b.readUnsignedShortLE()).isEqualTo(0xFFFD);
        assertThat(b.readUnsignedMedium()).isEqualTo(0xFFFFFC);
        assertThat(b.readUnsignedMediumLE()).isEqualTo(0xFFFFFB);
        assertThat(b.readUnsignedInt()).isEqualTo(0xFFFF_FFFAL);
        assertThat(b.readUnsignedIntLE()).isEqualTo(0xFFFF_FFF9L);
    }

    @Test
    void aMediumNeedsThreeBytes() {
        b.setMedium(61, 1).setMediumLE(61, 1);
        assertThatThrownBy(() -> b.setMedium(62, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> b.getMediumLE(62)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void copiesToAndFromByteBuffersOfEveryKind() {
        byte[] text = "0123456789".getBytes(US_ASCII);
        ByteBuffer direct = ByteBuffer.allocateDirect(10).put(text).flip();
        ByteBuffer slice = ByteBuffer.wrap(text).position(3).slice();
        for (ByteBuffer from :
                List.of(
                        ByteBuffer.wrap(text).position(3),
                        slice,
                        slice.asReadOnlyBuffer(),
                        direct.position(3),
                        direct.duplicate().asReadOnlyBuffer())) {
            b.fill(0, 64, '.').setBytes(2, from);
            assertThat(from.remaining()).isZero();
            assertThat(b.getString(0, 10, US_ASCII)).isEqualTo("..3456789.");
        }
        for (ByteBuffer to : List.of(ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10))) {
            to.position(1).limit(8);
            b.getBytes(2, to.slice());
            b.getBytes(2, to);
            assertThat(to.remaining()).isZero();
            assertThat(to.get(1)).isEqualTo((byte) '3');
            assertThat(to.get(7)).isEqualTo((byte) '9');
        }
        assertThatThrownBy(() -> b.getBytes(60, ByteBuffer.allocate(5)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> b.setBytes(60, ByteBuffer.allocate(5)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void copiesBetweenBuffersEvenWhenTheRangesOverlap() {
        b.writeAscii("abcdefgh").setBytes(2, b, 0, 6);
        assertThat(b.getString(0, 8, US_ASCII)).isEqualTo("ababcdef");
        try (Buffer other = BufferAllocator.pooled().allocate(4)) {
            b.getBytes(1, other, 0, 4);
            assertThat(other.getString(0, 4, US_ASCII)).isEqualTo("babc");
            assertThatThrownBy(() -> b.getBytes(0, other, 1, 4))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.setBytes(62, other, 0, 4))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void findsTheLastByteAndNoOther() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            for (int i = 0; i < 64; i++) {
                bytes[i] = (byte) (random.nextInt(3) - 1 + (random.nextInt(20) == 0 ? 'x' : 0));
            }
            b.setBytes(0, bytes, 0, 64);
            int from = random.nextInt(65);
            int to = from + random.nextInt(65 - from);
            byte value = (byte) (random.nextInt(3) - 1);
            int last = to - 1;
            while (last >= from && bytes[last] != value) {
                last--;
            }
            assertThat(b.lastIndexOf(value, from, to)).isEqualTo(last < from ? -1 : last);
        }
    }

    @Test
    void findsANeedleWhereAStringHasIt() {
        Random random = new Random(2);
        for (int round = 0; round < 5000; round++) {
            StringBuilder hay = new StringBuilder();
            for (int i = 0; i < 64; i++) {
                hay.append((char) ('a' + random.nextInt(2)));
            }
            b.clear().writeAscii(hay);
            int from = random.nextInt(65);
            int to = from + random.nextInt(65 - from);
            StringBuilder needle = new StringBuilder();
            for (int i = random.nextInt(7); i > 0; i--) {
                needle.append((char) ('a' + random.nextInt(2)));
            }
            int expected = hay.substring(0, to).indexOf(needle.toString(), from);
            assertThat(b.indexOf(needle.toString().getBytes(US_ASCII), from, to))
                    .isEqualTo(expected);
        }
    }

    @Test
    void aProcessorSeesBytesUntilItHasEnough() {
        b.writeAscii("abc,def");
        assertThat(b.forEachByte(0, 7, value -> value != ',')).isEqualTo(3);
        assertThat(b.forEachByte(0, 3, value -> value != ',')).isEqualTo(-1);
        assertThatThrownBy(() -> b.forEachByte(0, 65, _ -> true))
                .isInstanceOf(IndexOutOfBoundsException.class);
        Buffer gone = b.slice(0, 7);
        assertThatThrownBy(() -> gone.forEachByte(0, 2, _ -> gone.release()))
                .isInstanceOf(IllegalReferenceCountException.class);
    }
}
