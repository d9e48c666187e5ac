package io.weft.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BufferTest {
    private final BufferAllocator allocator = BufferAllocator.pooled();

    @BeforeEach
    void startsWithNothingOpen() {
        assertThat(Ledger.isOn()).isTrue();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Buffer text(String text) {
        return allocator.allocate(text.length()).writeAscii(text);
    }

    @Test
    void readsWhatWasWritten() {
        try (Buffer b = allocator.allocate(32)) {
            b.writeByte(-1).writeShort(0x1234).writeInt(0x12345678).writeLong(Long.MIN_VALUE + 5);
            assertThat(b.readByte()).isEqualTo((byte) -1);
            assertThat(b.readShort()).isEqualTo((short) 0x1234);
            assertThat(b.readInt()).isEqualTo(0x12345678);
            assertThat(b.readLong()).isEqualTo(Long.MIN_VALUE + 5);
            assertThat(b.isReadable()).isFalse();
        }
    }

    @Test
    void refusesAccessOutsideItsCapacity() {
        try (Buffer b = allocator.allocate(8)) {
            assertThatThrownBy(() -> b.getByte(8)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.getLong(1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.getLong(Integer.MAX_VALUE))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.readByte())
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("length: 1 (expected: at most readableBytes 0)");
        }
    }

    @Test
    void growsWhenWrittenBeyondItsCapacity() {
        try (Buffer b = allocator.allocate(4)) {
            byte[] bytes = new byte[100_000];
            new Random(1).nextBytes(bytes);
            for (int i = 0; i < bytes.length; i += 1000) {
                b.writeBytes(bytes, i, 1000);
            }
            byte[] out = new byte[bytes.length];
            b.readBytes(out);
            assertThat(out).isEqualTo(bytes);
        }
    }

    @Test
    void growthDoesNotReachIntoBytesThatWereSplitOff() {
        Buffer tail = text("headtail");
        Buffer head = tail.split(4);
        head.writeAscii("XXXX");
        assertThat(head.readString(US_ASCII)).isEqualTo("headXXXX");
        assertThat(tail.readString(US_ASCII)).isEqualTo("tail");
        head.release();
        tail.release();
    }

    @Test
    void aSplitKeepsTheIndicesOfTheRest() {
        Buffer rest = text("headtail");
        Buffer head = rest.split(4);
        assertThat(rest.readOffset()).isEqualTo(4);
        assertThat(rest.getByte(0)).isEqualTo((byte) 'h');
        assertThat(head.capacity()).isEqualTo(4);
        head.release();
        rest.release();
    }

    @Test
    void bytesAlreadyReadSurviveGrowth() {
        try (Buffer b = text("read")) {
            b.skipReadable(4).writeBytes(new byte[1000]);
            assertThat(b.readOffset(0).writeOffset(4).readString(US_ASCII)).isEqualTo("read");
        }
    }

    @Test
    void canBeWrittenToItself() {
        try (Buffer b = allocator.allocate(1 << 20)) {
            b.writeOffset(1 << 20).setByte(0, 'a').setByte((1 << 20) - 1, 'z').writeBytes(b);
            assertThat(b.readOffset()).isEqualTo(1 << 20);
            assertThat(b.readableBytes()).isEqualTo(1 << 20);
            assertThat(b.getByte(1 << 20)).isEqualTo((byte) 'a');
            assertThat(b.getByte((2 << 20) - 1)).isEqualTo((byte) 'z');
        }
    }

    @Test
    void nobodyWritesThroughAReadOnlyViewOrItsParts() {
        Buffer b = text("abcdef").skipReadable(1);
        Buffer view = b.asReadOnly();
        Buffer part = view.slice(0, 3);
        Buffer head = view.split(2);
        for (Buffer each : List.of(view, part, head)) {
            assertThat(each.isReadOnly()).isTrue();
            assertThat(each.writableBytes()).isZero();
            each.clear();
            List<Executable> writes =
                    List.of(
                            () -> each.setByte(0, 'X'),
                            () -> each.setShortLE(0, 'X'),
                            () -> each.writeByte('X'),
                            () -> each.writeBytes(new byte[0]),
                            () -> each.writeAscii("X"),
                            () -> each.writeBytes(b, 1),
                            () -> each.setBytes(0, new byte[1], 0, 1),
                            () -> b.getBytes(0, each, 0, 1),
                            () -> each.fill(0, 1, 'X'),
                            () -> each.ensureWritable(0),
                            () -> each.byteBuffer(0, 1).put((byte) 'X'));
            for (Executable write : writes) {
                assertThatThrownBy(write::execute).isInstanceOf(ReadOnlyBufferException.class);
            }
            each.release();
        }
        assertThat(b.readString(US_ASCII)).isEqualTo("bcdef");
        b.release();
    }

    @Test
    void aReadOnlyViewHasTheOffsetsAndSeesChanges() {
        Buffer b = text("abc").skipReadable(1);
        Buffer view = b.asReadOnly();
        b.setByte(2, 'X').release();
        assertThat(view.readOffset()).isEqualTo(1);
        assertThat(view.capacity()).isEqualTo(3);
        Buffer copy = view.copy();
        assertThat(view.readString(US_ASCII)).isEqualTo("bX");
        view.release();
        assertThat(copy.setByte(0, 'Y').writeAscii("Z").readString(US_ASCII)).isEqualTo("YXZ");
        copy.release();
    }

    @Test
    void growsToItsMaximumAndNotAByteFurther() {
        try (Buffer b = allocator.allocate(10, 1000)) {
            b.writeBytes(new byte[600]).writeBytes(new byte[400]);
            assertThat(b.capacity()).isEqualTo(1000);
            assertThatThrownBy(() -> b.writeByte(1))
                    .isInstanceOf(MemoryLimitException.class)
                    .hasMessage("capacity: 1001 (expected: at most 1000)");
            assertThat(b.readableBytes()).isEqualTo(1000);
            b.skipReadable(10);
            try (Buffer part = b.split(5)) {
                assertThat(part.maxCapacity()).isEqualTo(1000);
            }
        }
    }

    @Test
    void everyAccessAfterReleaseThrows() {
        Buffer b = text("gone");
        b.release();
        assertThatThrownBy(() -> b.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::readByte).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> b.writeByte(1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> b.split(0)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::address).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::retain).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(b::release)
                .isInstanceOf(IllegalReferenceCountException.class)
                .hasMessage("references: 0 (expected: at least 1)");
    }

    @Test
    void copiesMayGrowAsFarAsTheirOriginal() {
        Buffer b = BufferAllocator.pooled().allocate(4, 8);
        Buffer copy = b.copy(0, 4);
        assertThat(copy.maxCapacity()).isEqualTo(8);
        assertThatThrownBy(() -> copy.ensureWritable(5)).isInstanceOf(MemoryLimitException.class);
        b.release();
        copy.release();
    }

    @Test
    void retainAddsAnOwner() {
        Buffer b = text("kept");
        b.retain();
        assertThat(b.release()).isFalse();
        assertThat(b.readString(US_ASCII)).isEqualTo("kept");
        assertThat(b.release()).isTrue();
        assertThat(b.references()).isZero();
    }

    @Test
    void aPartOutlivesTheBufferItWasCutFrom() {
        allocator.attachThread();
        try {
            Buffer whole = text("onetwo");
            Buffer one = whole.split(3);
            whole.release();
            // Would land on the same memory, had the release given it back.
            Buffer other = text("XXXXXX");
            assertThat(one.readString(US_ASCII)).isEqualTo("one");
            one.release();
            other.release();
        } finally {
            allocator.detachThread();
        }
    }

    @Test
    void sliceSeesLaterChanges() {
        Buffer whole = text("abc");
        Buffer part = whole.slice(1, 2);
        whole.setByte(1, 'X');
        assertThat(part.readString(US_ASCII)).isEqualTo("Xc");
        part.release();
        whole.release();
    }

    @Test
    void findsAByteAtEveryPlaceAndNotBeyondTheRange() {
        try (Buffer b = allocator.allocate(40)) {
            for (int i = 0; i < 40; i++) {
                b.writeByte('.');
            }
            for (int at = 0; at < 40; at++) {
                b.setByte(at, '\n');
                for (int from = 0; from <= 40; from += 3) {
                    assertThat(b.indexOf((byte) '\n', from, 40)).isEqualTo(from <= at ? at : -1);
                }
                assertThat(b.indexOf((byte) '\n', 0, at)).isEqualTo(-1);
                b.setByte(at, '.');
            }
        }
    }

    @Test
    void copiesBetweenBuffersAndComparesContent() {
        try (Buffer a = text("same");
                Buffer b = allocator.allocate(0)) {
            b.writeBytes(a);
            assertThat(a.isReadable()).isFalse();
            a.readOffset(0);
            assertThat(b.contentEquals(a)).isTrue();
            b.setByte(3, 'X');
            assertThat(b.contentEquals(a)).isFalse();
        }
    }

    @Test
    void comparesARangeWithAnArray() {
        byte[] bytes = "..same as that".getBytes(US_ASCII);
        try (Buffer b = text("xsame as that")) {
            for (int length = 0; length <= 12; length++) {
                assertThat(b.contentEquals(1, bytes, 2, length)).isTrue();
            }
            for (int at = 1; at < 13; at++) {
                byte was = b.getByte(at);
                b.setByte(at, 'X');
                assertThat(b.contentEquals(1, bytes, 2, 12)).isFalse();
                b.setByte(at, was);
            }
            assertThatThrownBy(() -> b.contentEquals(1, bytes, 3, 12))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> b.contentEquals(2, bytes, 2, 12))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void refusesCapacitiesThatCannotBe() {
        assertThatThrownBy(() -> allocator.allocate(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.allocate(11, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity: 11 (expected: 0 to 10)");
        assertThatThrownBy(() -> allocator.allocate(1, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.allocate(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
