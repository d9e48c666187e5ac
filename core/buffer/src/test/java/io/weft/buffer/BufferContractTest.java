package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.search.SearchPatterns;
import io.weft.buffer.search.SearchProcessor;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Compares every kind of buffer with an array. Tests of their own have what only some kinds do.
@ParameterizedClass
@EnumSource(Kind.class)
class BufferContractTest {
    private static final int CAPACITY = 67;
    private static final boolean BOUNDS =
            !"false".equals(System.getProperty("io.weft.checkBounds"));
    private static final boolean ACCESSIBLE = Region.CHECK_ACCESSIBLE;

    @Parameter private Kind kind = Kind.POOLED;

    private final byte[] bytes = new byte[CAPACITY];
    private final List<Buffer> under = new ArrayList<>();
    private Random random = new Random(0);
    private Object buffer = bytes;

    @BeforeEach
    void open() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        random = new Random(seed);
        random.nextBytes(bytes);
        buffer = kind.open(bytes, under);
    }

    @AfterEach
    void everyBufferWasReleased() {
        if (buffer instanceof Buffer b && b.references() > 0) {
            b.release();
        } else if (buffer instanceof CompositeBuffer c && c.references() > 0) {
            c.release();
        }
        under.forEach(Buffer::release);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    // ---- by name ----

    private int number(String method) {
        return (int) Value.call(buffer, method);
    }

    private void getBytes(int index, byte[] to, int offset, int length) {
        Value.call(
                buffer,
                "getBytes",
                int.class,
                index,
                byte[].class,
                to,
                int.class,
                offset,
                int.class,
                length);
    }

    private void setBytes(int index, byte[] from, int offset, int length) {
        Value.call(
                buffer,
                "setBytes",
                int.class,
                index,
                byte[].class,
                from,
                int.class,
                offset,
                int.class,
                length);
    }

    private void offset(String method, int offset) {
        Value.call(buffer, method, int.class, offset);
    }

    private void hasTheBytesOfTheModel() {
        byte[] all = new byte[CAPACITY];
        getBytes(0, all, 0, CAPACITY);
        assertThat(all).isEqualTo(bytes);
    }

    // ---- by index ----

    @Test
    void itHasWhatItWasMadeOf() {
        assertThat(number("capacity")).isEqualTo(CAPACITY);
        assertThat(number("readOffset")).isZero();
        assertThat(number("writeOffset")).isEqualTo(CAPACITY);
        assertThat(number("readableBytes")).isEqualTo(CAPACITY);
        assertThat(number("writableBytes")).isZero();
        assertThat(number("references")).isEqualTo(1);
        assertThat(Value.call(buffer, "isReadable")).isEqualTo(true);
        hasTheBytesOfTheModel();
    }

    @Test
    void everyValueIsFoundAtEveryIndex() {
        for (Value type : Value.ALL) {
            for (int i = 0; i <= CAPACITY - type.size(); i++) {
                assertThat(type.get(buffer, i)).isEqualTo(type.decode(bytes, i));
            }
        }
    }

    @Test
    void settingAValueChangesItsBytesAlone() {
        for (Value type : Value.ALL) {
            for (int i = 0; i <= CAPACITY - type.size(); i++) {
                int index = i;
                long value = random.nextLong();
                if (kind.isReadOnly()) {
                    assertThatThrownBy(() -> type.set(buffer, index, value))
                            .isInstanceOf(ReadOnlyBufferException.class);
                } else {
                    type.set(buffer, index, value);
                    type.encode(bytes, index, value);
                }
            }
            hasTheBytesOfTheModel();
        }
    }

    @Test
    void noValueIsFoundOrSetBeyondTheEnds() {
        if (!BOUNDS) {
            return;
        }
        for (Value type : Value.ALL) {
            int beyond = CAPACITY - type.size() + 1;
            for (int index :
                    new int[] {-1, beyond, CAPACITY, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> type.get(buffer, index))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> type.set(buffer, index, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
        hasTheBytesOfTheModel();
    }

    @Test
    void rangesAreCopied() {
        for (int i = 0; i < 300; i++) {
            int index = random.nextInt(CAPACITY + 1);
            int length = random.nextInt(CAPACITY - index + 1);
            byte[] part = new byte[length + 2];
            getBytes(index, part, 1, length);
            assertThat(Arrays.copyOfRange(part, 1, length + 1))
                    .isEqualTo(Arrays.copyOfRange(bytes, index, index + length));
            random.nextBytes(part);
            if (!kind.isReadOnly()) {
                setBytes(index, part, 1, length);
                System.arraycopy(part, 1, bytes, index, length);
                hasTheBytesOfTheModel();
            } else if (length > 0) {
                assertThatThrownBy(() -> setBytes(index, part, 1, length))
                        .isInstanceOf(ReadOnlyBufferException.class);
            }
        }
    }

    /// Whole ranges are checked always: they cost one check each.
    @Test
    void noRangeReachesBeyondTheEnds() {
        byte[] array = new byte[CAPACITY + 1];
        int[][] ranges = {
            {-1, 1}, {0, CAPACITY + 1}, {CAPACITY, 1}, {1, -1}, {1, Integer.MAX_VALUE}
        };
        for (int[] range : ranges) {
            assertThatThrownBy(() -> getBytes(range[0], array, 0, range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> setBytes(range[0], array, 0, range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> getBytes(0, array, CAPACITY, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> setBytes(0, array, -1, 2))
                .isInstanceOf(
                        kind.isReadOnly()
                                ? RuntimeException.class
                                : IndexOutOfBoundsException.class);
        hasTheBytesOfTheModel();
    }

    // ---- by offset ----

    @Test
    void valuesAreReadInOrder() {
        int at = 0;
        while (true) {
            Value type = Value.any(random);
            if (at + type.size() > CAPACITY) {
                assertThatThrownBy(() -> type.read(buffer))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                break;
            }
            assertThat(type.read(buffer)).isEqualTo(type.decode(bytes, at));
            at += type.size();
            assertThat(number("readOffset")).isEqualTo(at);
        }
        assertThat(number("readableBytes")).isEqualTo(CAPACITY - at);
    }

    @Test
    void valuesAreWrittenInOrder() {
        Value.call(buffer, "clear");
        if (kind.isReadOnly()) {
            assertThatThrownBy(() -> Value.any(random).write(buffer, 1))
                    .isInstanceOf(ReadOnlyBufferException.class);
            return;
        }
        int at = 0;
        for (Value type = Value.any(random);
                at + type.size() <= CAPACITY;
                type = Value.any(random)) {
            long value = random.nextLong();
            type.write(buffer, value);
            type.encode(bytes, at, value);
            at += type.size();
            assertThat(number("writeOffset")).isEqualTo(at);
        }
        hasTheBytesOfTheModel();
    }

    @Test
    void offsetsStayInOrder() {
        offset("readOffset", 10);
        offset("writeOffset", 20);
        assertThat(number("readableBytes")).isEqualTo(10);
        for (int wrong : new int[] {-1, 21}) {
            assertThatThrownBy(() -> offset("readOffset", wrong))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        for (int wrong : new int[] {9, CAPACITY + 1}) {
            assertThatThrownBy(() -> offset("writeOffset", wrong))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> offset("skipReadable", 11))
                .isInstanceOf(IndexOutOfBoundsException.class);
        offset("skipReadable", 10);
        assertThat(Value.call(buffer, "isReadable")).isEqualTo(false);
    }

    @Test
    void bytesAreFound() {
        byte value = bytes[random.nextInt(CAPACITY)];
        int first = 0;
        while (bytes[first] != value) {
            first++;
        }
        byte[] needle = Arrays.copyOfRange(bytes, 30, 60);
        assertThat(Value.call(buffer, "indexOf", byte.class, value)).isEqualTo(first);
        assertThat(Value.call(buffer, "indexOf", byte[].class, needle)).isEqualTo(30);
        ByteProcessor until = each -> each != value;
        assertThat(Value.call(buffer, "forEachByte", ByteProcessor.class, until)).isEqualTo(first);
        offset("writeOffset", 59);
        assertThat(Value.call(buffer, "indexOf", byte[].class, needle)).isEqualTo(-1);
        SearchProcessor search = SearchPatterns.of(needle).newProcessor();
        assertThat(Value.call(buffer, "forEachByte", ByteProcessor.class, search)).isEqualTo(-1);
    }

    // ---- ownership ----

    @Test
    void aCopyIsIndependent() {
        Buffer copy = (Buffer) Value.call(buffer, "copy", int.class, 5, int.class, 20);
        assertThat(copy.contentEquals(0, bytes, 5, 20)).isTrue();
        copy.setLong(0, 1);
        hasTheBytesOfTheModel();
        copy.release();
    }

    @Test
    void aSliceSeesTheSameBytesAndHoldsThem() {
        Object slice = Value.call(buffer, "slice", int.class, 5, int.class, 20);
        release();
        assertThat(Value.call(slice, "readableBytes")).isEqualTo(20);
        assertThat(Value.ALL.getLast().get(slice, 3))
                .isEqualTo(Value.ALL.getLast().decode(bytes, 8));
        if (kind.isReadOnly()) {
            assertThatThrownBy(() -> Value.ALL.getFirst().set(slice, 0, 1))
                    .isInstanceOf(ReadOnlyBufferException.class);
        }
        assertThat(Value.call(slice, "release")).isEqualTo(true);
    }

    @Test
    void whatIsSplitOffIsReadHere() {
        offset("skipReadable", 3);
        Object head = Value.call(buffer, "split", int.class, 12);
        assertThat(number("readableBytes")).isEqualTo(CAPACITY - 15);
        for (int i = 3; i < 15; i++) {
            assertThat(Value.call(head, "readByte")).isEqualTo(bytes[i]);
        }
        assertThat(Value.call(buffer, "readByte")).isEqualTo(bytes[15]);
        assertThat(Value.call(head, "release")).isEqualTo(true);
    }

    /// By its owner, if that is another.
    private void release() {
        if (kind == Kind.UNRELEASABLE) {
            assertThat(Value.call(buffer, "release")).isEqualTo(false);
            under.removeFirst().release();
        } else {
            assertThat(Value.call(buffer, "release")).isEqualTo(true);
        }
    }

    @Test
    void afterItsReleaseNothingIsFound() {
        release();
        assertThat(number("references")).isZero();
        assertThatThrownBy(() -> Value.call(buffer, "release"))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> Value.call(buffer, "slice", int.class, 0, int.class, 0))
                .isInstanceOf(IllegalReferenceCountException.class);
        if (!ACCESSIBLE) {
            return;
        }
        for (Value type : Value.ALL) {
            assertThatThrownBy(() -> type.get(buffer, 0))
                    .isInstanceOf(IllegalReferenceCountException.class);
            assertThatThrownBy(() -> type.set(buffer, 0, 1))
                    .isInstanceOf(IllegalReferenceCountException.class);
            assertThatThrownBy(() -> type.read(buffer))
                    .isInstanceOf(IllegalReferenceCountException.class);
        }
        assertThatThrownBy(() -> getBytes(0, new byte[1], 0, 1))
                .isInstanceOf(IllegalReferenceCountException.class);
    }
}
