package io.weft.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompositeBufferTest {
    private final CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled());

    @AfterEach
    void everyBufferWasReleased() {
        if (composite.references() > 0) {
            composite.release();
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Buffer buffer(String text) {
        Buffer b = BufferAllocator.pooled().allocate(text.length());
        b.writeAscii(text);
        return b;
    }

    private static String text(Buffer b) {
        String text = b.readString(US_ASCII);
        b.release();
        return text;
    }

    @Test
    void buffersInARowAreReadAsOne() {
        composite.add(buffer("ab")).add(buffer("")).add(buffer("cdefg")).add(buffer("h"));
        assertThat(composite.components()).isEqualTo(3);
        assertThat(composite.readableBytes()).isEqualTo(8);
        assertThat(composite.getLong(0)).isEqualTo(0x6162636465666768L);
        assertThat(composite.readInt()).isEqualTo(0x61626364);
        assertThat(composite.readString(4, US_ASCII)).isEqualTo("efgh");
        assertThat(composite.isReadable()).isFalse();
    }

    @Test
    void onlyWhatIsReadableIsAdded() {
        composite.add(buffer("xxab").skipReadable(2));
        assertThat(composite.readString(2, US_ASCII)).isEqualTo("ab");
        assertThat(composite.capacity()).isEqualTo(2);
    }

    @Test
    void whoAddsABufferGivesItAway() {
        Buffer given = buffer("ab");
        composite.add(given);
        assertThatThrownBy(given::release).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(composite.getByte(1)).isEqualTo((byte) 'b');
    }

    @Test
    void otherOwnersKeepTheirs() {
        Buffer shared = buffer("ab");
        composite.add(shared.retain());
        composite.release();
        assertThat(text(shared)).isEqualTo("ab");
    }

    @Test
    void aReleasedBufferCannotBeAdded() {
        Buffer released = buffer("ab");
        released.release();
        assertThatThrownBy(() -> composite.add(released))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThat(composite.components()).isZero();
    }

    @Test
    void aReleasedCompositeReleasesWhatIsAdded() {
        composite.release();
        Buffer late = buffer("ab");
        assertThatThrownBy(() -> composite.add(late))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThat(late.references()).isZero();
        assertThatThrownBy(
                        () ->
                                composite.add(
                                        new CompositeBuffer(BufferAllocator.pooled())
                                                .add(buffer("cd"))))
                .isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void itIsNotAddedToItself() {
        composite.add(buffer("ab"));
        assertThatThrownBy(() -> composite.add(composite))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(composite.readableBytes()).isEqualTo(2);
    }

    @Test
    void writingFillsComponentsThenAddsOne() {
        composite.add(buffer("abc")).add(buffer("def")).clear();
        composite.writeInt(0x31323334);
        assertThat(composite.components()).isEqualTo(2);
        assertThat(composite.writableBytes()).isEqualTo(2);
        composite.writeLongLE(0x3837363534333231L);
        assertThat(composite.components()).isEqualTo(3);
        assertThat(composite.readString(12, US_ASCII)).isEqualTo("123412345678");
    }

    @Test
    void addingGivesUpRoomForWriting() {
        composite.writeByte('a').add(buffer("bc"));
        assertThat(composite.capacity()).isEqualTo(3);
        assertThat(composite.readString(3, US_ASCII)).isEqualTo("abc");
    }

    @Test
    void aReadOnlyComponentIsNotWrittenTo() {
        Buffer writable = buffer("cd");
        composite.add(buffer("ab")).add(writable.asReadOnly());
        composite.setByte(1, 'x');
        assertThatThrownBy(() -> composite.setByte(2, 'y'))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(() -> composite.setShort(1, 0))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(() -> composite.setBytes(0, new byte[3], 0, 3))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThat(composite.readString(4, US_ASCII)).isEqualTo("axcd");
        writable.release();
    }

    @Test
    void removeFirstHandsOutReadableComponentsInOrder() {
        composite.add(buffer("abc")).add(buffer("def")).readByte();
        composite.writeOffset(5);
        assertThat(text(composite.removeFirst())).isEqualTo("bc");
        assertThat(text(composite.removeFirst())).isEqualTo("de");
        assertThat(composite.isReadable()).isFalse();
        assertThat(composite.capacity()).isEqualTo(1);
    }

    @Test
    void splitCutsThroughAComponent() {
        composite.add(buffer("abc")).add(buffer("def"));
        CompositeBuffer head = composite.split(4);
        head.setByte(3, 'x');
        assertThat(text(head.flatten())).isEqualTo("abcx");
        assertThat(composite.readOffset()).isZero();
        assertThat(text(composite.flatten())).isEqualTo("ef");
    }

    @Test
    void aSliceSharesTheMemory() {
        composite.add(buffer("abc")).add(buffer("def"));
        CompositeBuffer slice = composite.slice(2, 2);
        composite.setShort(2, 0x7879);
        composite.release();
        assertThat(text(slice.flatten())).isEqualTo("xy");
    }

    @Test
    void flatteningOneComponentCopiesNothing() {
        Buffer only = buffer("abc");
        long address = only.address();
        Buffer flat = composite.add(only).flatten();
        assertThat(flat.address()).isEqualTo(address);
        assertThat(composite.references()).isZero();
        flat.release();
    }

    @Test
    void gatheredViewsAreOfTheReadableBytes() {
        composite.add(buffer("abc")).add(buffer("def")).add(buffer("g")).skipReadable(3);
        composite.writeOffset(6);
        ByteBuffer[] views = composite.byteBuffers();
        assertThat(views).hasSize(1);
        assertThat(US_ASCII.decode(views[0]).toString()).isEqualTo("def");
    }

    @Test
    void anEndlessQueueOfComponentsCountsOn() {
        // Positions pass 2^31 a few times.
        Buffer megabyte = BufferAllocator.pooled().allocate(1 << 20);
        megabyte.writeOffset(1 << 20);
        for (int i = 0; i < 5000; i++) {
            megabyte.setInt(0, i);
            composite.add(megabyte.slice(0, 1 << 20)).add(buffer("x"));
            if (composite.components() > 4) {
                composite.removeFirst().release();
                composite.skipReadable(1).discardRead();
            }
            assertThat(composite.getInt(composite.capacity() - (1 << 20) - 1)).isEqualTo(i);
            assertThat(composite.getByte(composite.capacity() - 1)).isEqualTo((byte) 'x');
        }
        megabyte.release();
    }

    @Test
    void oneLargeComponentBesideManySmallOnesIsFoundToo() {
        composite.add(BufferAllocator.pooled().allocate(1 << 20).writeOffset(1 << 20));
        for (int i = 0; i < 500; i++) {
            composite.add(buffer("x")).add(buffer("yz"));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 499; i >= 0; i--) {
                int index = (1 << 20) + 3 * i;
                assertThat(composite.getByte(index + 1)).isEqualTo((byte) 'y');
                assertThat(composite.getByte(index)).isEqualTo((byte) 'x');
                assertThat(composite.getMedium(index)).isEqualTo(0x78797A);
            }
        }
    }

    @Test
    void aProcessorThatReleasesTheCompositeIsStopped() {
        composite.add(buffer("abc")).add(buffer("def"));
        assertThatThrownBy(() -> composite.forEachByte(each -> each != 'b' || composite.release()))
                .isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void aProcessorMayTakeComponentsOut() {
        composite.add(buffer("abc")).add(buffer("def"));
        StringBuilder seen = new StringBuilder();
        assertThatThrownBy(
                        () ->
                                composite.forEachByte(
                                        each -> {
                                            seen.append((char) each);
                                            if (each == 'b') {
                                                composite.removeFirst().release();
                                            }
                                            return true;
                                        }))
                .isInstanceOf(IndexOutOfBoundsException.class);
        // Index 2 is another byte then.
        assertThat(seen).hasToString("abf");
    }

    @Test
    void itsCapacityHasALimit() {
        Buffer megabyte = BufferAllocator.pooled().allocate(1 << 20);
        megabyte.writeOffset(1 << 20);
        for (int i = 0; i < 1024; i++) {
            composite.add(megabyte.slice(0, 1 << 20));
        }
        assertThat(composite.capacity()).isEqualTo(BufferAllocator.MAX_CAPACITY);
        Buffer late = buffer("x");
        assertThatThrownBy(() -> composite.add(late)).isInstanceOf(MemoryLimitException.class);
        assertThat(late.references()).isZero();
        assertThatThrownBy(() -> composite.writeByte(1)).isInstanceOf(MemoryLimitException.class);
        megabyte.release();
    }

    @Test
    void afterItsReleaseEverythingThrows() {
        composite.add(buffer("abcdefgh"));
        composite.getLong(0);
        assertThat(composite.release()).isTrue();
        assertThatThrownBy(() -> composite.getByte(0))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> composite.setLong(0, 1))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(composite::readByte).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> composite.writeByte(1))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> composite.split(0))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> composite.slice(0, 0))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(composite::copy).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(composite::flatten).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(composite::release).isInstanceOf(IllegalReferenceCountException.class);
    }
}
