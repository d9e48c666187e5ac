package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on buffers of every kind, each beside a model made of arrays. After every step
/// all open buffers have to be as their models are.
class BufferModelTest {
    private static final int STEPS = 20_000;
    private static final int MAX = 3000;

    /// Memory that several buffers may share.
    private static final class Shared {
        byte[] bytes = new byte[2 * MAX + 4096];
    }

    /// A buffer and what it has to be.
    private static final class Pair {
        final Buffer buffer;
        final boolean readOnly;
        Shared memory;
        int base;
        int capacity;
        int readOffset;
        int writeOffset;

        Pair(Buffer buffer, Shared memory, int base, int capacity, boolean readOnly) {
            this.buffer = buffer;
            this.memory = memory;
            this.base = base;
            this.capacity = capacity;
            this.readOnly = readOnly;
        }

        Pair readable() {
            writeOffset = capacity;
            return this;
        }

        void check() {
            assertThat(buffer.capacity()).isEqualTo(capacity);
            assertThat(buffer.readOffset()).isEqualTo(readOffset);
            assertThat(buffer.writeOffset()).isEqualTo(writeOffset);
            assertThat(buffer.isReadOnly()).isEqualTo(readOnly);
            assertThat(buffer.writableBytes()).isEqualTo(readOnly ? 0 : capacity - writeOffset);
            assertThat(buffer.contentEquals(0, memory.bytes, base, capacity)).isTrue();
        }

        /// Follows a buffer that has made room for `length` bytes: where it is now, and bytes
        /// beyond the write offset are undefined. They are set to 0 here so that they can be
        /// compared.
        void grown(long addressBefore, int length) {
            if (length <= capacity - writeOffset) {
                return;
            }
            assertThat(buffer.capacity()).isGreaterThanOrEqualTo(writeOffset + length);
            assertThat(buffer.capacity()).isLessThanOrEqualTo(buffer.maxCapacity());
            if (buffer.address() != addressBefore) {
                Shared to = new Shared();
                System.arraycopy(memory.bytes, base, to.bytes, 0, writeOffset);
                memory = to;
                base = 0;
            }
            capacity = buffer.capacity();
            for (int i = writeOffset; i < capacity; i++) {
                memory.bytes[base + i] = 0;
            }
            buffer.fill(writeOffset, capacity - writeOffset, 0);
        }
    }

    private final List<Pair> open = new ArrayList<>();
    private Random random = new Random(0);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void behavesAsItsModel(boolean pooled) {
        long seed = Long.getLong("io.weft.test.seed", 1);
        random = new Random(seed);
        if (pooled) {
            BufferAllocator.pooled().attachThread();
        }
        try {
            for (int step = 0; step < STEPS; step++) {
                if (open.isEmpty() || (open.size() < 8 && random.nextInt(20) == 0)) {
                    allocate();
                }
                Pair pair = open.get(random.nextInt(open.size()));
                step(pair);
                open.forEach(Pair::check);
            }
        } finally {
            open.forEach(pair -> pair.buffer.release());
            BufferAllocator.pooled().detachThread();
        }
    }

    private void allocate() {
        int capacity = random.nextInt(1 << random.nextInt(11));
        Buffer buffer = BufferAllocator.pooled().allocate(capacity, MAX);
        buffer.fill(0, capacity, 0);
        open.add(new Pair(buffer, new Shared(), 0, capacity, false));
    }

    private void step(Pair pair) {
        switch (random.nextInt(16)) {
            case 0 -> end(pair);
            case 1, 2 -> part(pair);
            case 3 -> offsets(pair);
            case 4, 5, 6 -> get(pair);
            case 7, 8, 9 -> set(pair);
            case 10, 11, 12 -> write(pair);
            case 13, 14 -> read(pair);
            default -> search(pair);
        }
    }

    private void end(Pair pair) {
        pair.buffer.retain();
        assertThat(pair.buffer.release()).isFalse();
        assertThat(pair.buffer.release()).isTrue();
        open.remove(pair);
        assertThatThrownBy(() -> pair.buffer.getByte(0))
                .isInstanceOf(IllegalReferenceCountException.class);
    }

    private void part(Pair pair) {
        int start = random.nextInt(pair.capacity + 1);
        int length = random.nextInt(pair.capacity - start + 1);
        if (open.size() >= 8) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 ->
                    open.add(
                            new Pair(
                                            pair.buffer.slice(start, length),
                                            pair.memory,
                                            pair.base + start,
                                            length,
                                            pair.readOnly)
                                    .readable());
            case 1 -> {
                int head = random.nextInt(pair.writeOffset - pair.readOffset + 1);
                open.add(
                        new Pair(
                                        pair.buffer.split(head),
                                        pair.memory,
                                        pair.base + pair.readOffset,
                                        head,
                                        pair.readOnly)
                                .readable());
                pair.readOffset += head;
            }
            case 2 -> {
                Shared memory = new Shared();
                System.arraycopy(pair.memory.bytes, pair.base + start, memory.bytes, 0, length);
                open.add(
                        new Pair(pair.buffer.copy(start, length), memory, 0, length, false)
                                .readable());
            }
            default -> {
                Pair view =
                        new Pair(
                                pair.buffer.asReadOnly(),
                                pair.memory,
                                pair.base,
                                pair.capacity,
                                true);
                view.readOffset = pair.readOffset;
                view.writeOffset = pair.writeOffset;
                open.add(view);
            }
        }
    }

    private void offsets(Pair pair) {
        switch (random.nextInt(3)) {
            case 0 -> {
                pair.readOffset = random.nextInt(pair.writeOffset + 1);
                pair.buffer.readOffset(pair.readOffset);
            }
            case 1 -> {
                int room = pair.capacity - pair.readOffset;
                pair.writeOffset = pair.readOffset + random.nextInt(room + 1);
                pair.buffer.writeOffset(pair.writeOffset);
            }
            default -> {
                pair.buffer.clear();
                pair.readOffset = 0;
                pair.writeOffset = 0;
            }
        }
        assertThatThrownBy(() -> pair.buffer.readOffset(pair.writeOffset + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.buffer.writeOffset(pair.capacity + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private void get(Pair pair) {
        Numeric type = Numeric.any(random);
        int index = random.nextInt(pair.capacity + 4) - 2;
        if (index < 0 || index + type.size() > pair.capacity) {
            assertThatThrownBy(() -> type.get(pair.buffer, index))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else {
            assertThat(type.get(pair.buffer, index))
                    .isEqualTo(type.decode(pair.memory.bytes, pair.base + index));
        }
    }

    private void set(Pair pair) {
        Numeric type = Numeric.any(random);
        long value = random.nextLong();
        int index = random.nextInt(pair.capacity + 4) - 2;
        if (index < 0 || index + type.size() > pair.capacity) {
            assertThatThrownBy(() -> type.set(pair.buffer, index, value))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else if (pair.readOnly) {
            assertThatThrownBy(() -> type.set(pair.buffer, index, value))
                    .isInstanceOf(ReadOnlyBufferException.class);
        } else {
            type.set(pair.buffer, index, value);
            type.encode(pair.memory.bytes, pair.base + index, value);
        }
    }

    private void write(Pair pair) {
        Numeric type = Numeric.any(random);
        long value = random.nextLong();
        byte[] bytes = new byte[random.nextInt(3) == 0 ? random.nextInt(600) : type.size()];
        random.nextBytes(bytes);
        boolean bulk = random.nextBoolean();
        int length = bulk ? bytes.length : type.size();
        if (!bulk) {
            bytes = new byte[length];
            type.encode(bytes, 0, value);
        }
        byte[] written = bytes;
        Runnable write =
                bulk ? () -> pair.buffer.writeBytes(written) : () -> type.write(pair.buffer, value);
        if (pair.readOnly) {
            assertThatThrownBy(write::run).isInstanceOf(ReadOnlyBufferException.class);
        } else if (pair.writeOffset + length > MAX) {
            assertThatThrownBy(write::run).isInstanceOf(MemoryLimitException.class);
        } else {
            long address = pair.buffer.address();
            pair.buffer.ensureWritable(length);
            pair.grown(address, length);
            write.run();
            System.arraycopy(written, 0, pair.memory.bytes, pair.base + pair.writeOffset, length);
            pair.writeOffset += length;
        }
    }

    private void read(Pair pair) {
        Numeric type = Numeric.any(random);
        int readable = pair.writeOffset - pair.readOffset;
        if (random.nextBoolean()) {
            if (type.size() > readable) {
                assertThatThrownBy(() -> type.read(pair.buffer))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            } else {
                assertThat(type.read(pair.buffer))
                        .isEqualTo(type.decode(pair.memory.bytes, pair.base + pair.readOffset));
                pair.readOffset += type.size();
            }
            return;
        }
        byte[] bytes = new byte[random.nextInt(readable + 3)];
        if (bytes.length > readable) {
            assertThatThrownBy(() -> pair.buffer.readBytes(bytes))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else {
            pair.buffer.readBytes(bytes);
            int start = pair.base + pair.readOffset;
            assertThat(bytes).isEqualTo(arrayOf(pair.memory, start, bytes.length));
            pair.readOffset += bytes.length;
        }
    }

    private static byte[] arrayOf(Shared memory, int start, int length) {
        byte[] bytes = new byte[length];
        System.arraycopy(memory.bytes, start, bytes, 0, length);
        return bytes;
    }

    private void search(Pair pair) {
        byte value = (byte) random.nextInt();
        int first = pair.readOffset;
        while (first < pair.writeOffset && pair.memory.bytes[pair.base + first] != value) {
            first++;
        }
        int expected = first < pair.writeOffset ? first : -1;
        assertThat(pair.buffer.indexOf(value)).isEqualTo(expected);
        assertThat(pair.buffer.indexOf(new byte[] {value})).isEqualTo(expected);
        assertThat(pair.buffer.forEachByte(each -> each != value)).isEqualTo(expected);
    }
}
