package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random operations on a composite beside a model that is one array. After every step both have to
/// be the same.
class CompositeModelTest {
    private static final int STEPS = 10_000;
    private static final int ENOUGH = 2000;

    private final CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled());
    private Random random = new Random(0);

    private byte[] bytes = {};
    private boolean[] readOnly = {};
    private int readOffset;
    private int writeOffset;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void behavesAsItsModel() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        random = new Random(seed);
        BufferAllocator.pooled().attachThread();
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
                check();
            }
        } finally {
            composite.release();
            BufferAllocator.pooled().detachThread();
        }
    }

    private void check() {
        assertThat(composite.capacity()).isEqualTo(bytes.length);
        assertThat(composite.readOffset()).isEqualTo(readOffset);
        assertThat(composite.writeOffset()).isEqualTo(writeOffset);
        assertThat(composite.readableBytes()).isEqualTo(writeOffset - readOffset);
        assertThat(composite.writableBytes()).isEqualTo(bytes.length - writeOffset);
        byte[] all = new byte[bytes.length];
        composite.getBytes(0, all, 0, all.length);
        assertThat(all).isEqualTo(bytes);
    }

    private void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> add();
            case 3 -> offsets();
            case 4, 5, 6 -> get();
            case 7, 8, 9 -> set();
            case 10 -> read();
            case 11 -> write();
            case 12 -> front();
            case 13 -> parts();
            case 14 -> bulk();
            default -> search();
        }
    }

    private byte[] someBytes() {
        byte[] some = new byte[random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(6)];
        random.nextBytes(some);
        return some;
    }

    private void add() {
        if (bytes.length > ENOUGH) {
            return;
        }
        byte[] added = someBytes();
        Buffer component = BufferAllocator.pooled().allocate(added.length + 5);
        component.writeByte(1).writeBytes(added).readByte();
        boolean locked = random.nextInt(8) == 0;
        if (locked) {
            Buffer view = component.asReadOnly();
            component.release();
            component = view;
        }
        if (random.nextInt(4) == 0) {
            composite.add(new CompositeBuffer(BufferAllocator.pooled()).add(component));
        } else if (random.nextInt(4) == 0) {
            component.retain();
            composite.add(component);
            component.release();
        } else {
            composite.add(component);
        }
        bytes = Arrays.copyOf(bytes, writeOffset + added.length);
        readOnly = Arrays.copyOf(readOnly, bytes.length);
        System.arraycopy(added, 0, bytes, writeOffset, added.length);
        Arrays.fill(readOnly, writeOffset, bytes.length, locked);
        writeOffset = bytes.length;
    }

    private void offsets() {
        if (random.nextBoolean()) {
            readOffset = random.nextInt(writeOffset + 1);
            composite.readOffset(readOffset);
        } else {
            writeOffset = readOffset + random.nextInt(bytes.length - readOffset + 1);
            composite.writeOffset(writeOffset);
        }
        assertThatThrownBy(() -> composite.readOffset(writeOffset + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> composite.writeOffset(bytes.length + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private void get() {
        Value type = Value.any(random);
        int index = random.nextInt(bytes.length + 4) - 2;
        if (index < 0 || index + type.size() > bytes.length) {
            assertThatThrownBy(() -> type.get(composite, index))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else {
            assertThat(type.get(composite, index)).isEqualTo(type.decode(bytes, index));
        }
    }

    private boolean isReadOnly(int index, int length) {
        for (int i = index; i < index + length; i++) {
            if (readOnly[i]) {
                return true;
            }
        }
        return false;
    }

    private void set() {
        Value type = Value.any(random);
        long value = random.nextLong();
        int index = random.nextInt(bytes.length + 4) - 2;
        if (index < 0 || index + type.size() > bytes.length) {
            assertThatThrownBy(() -> type.set(composite, index, value))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else if (isReadOnly(index, type.size())) {
            assertThatThrownBy(() -> type.set(composite, index, value))
                    .isInstanceOf(ReadOnlyBufferException.class);
        } else {
            type.set(composite, index, value);
            type.encode(bytes, index, value);
        }
    }

    private void read() {
        Value type = Value.any(random);
        if (type.size() > writeOffset - readOffset) {
            assertThatThrownBy(() -> type.read(composite))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else {
            assertThat(type.read(composite)).isEqualTo(type.decode(bytes, readOffset));
            readOffset += type.size();
        }
    }

    private void write() {
        Value type = Value.any(random);
        long value = random.nextLong();
        int size = type.size();
        int inside = Math.min(size, bytes.length - writeOffset);
        if (isReadOnly(writeOffset, inside)) {
            return;
        }
        if (inside < size && bytes.length > ENOUGH) {
            return;
        }
        int before = bytes.length;
        composite.ensureWritable(size);
        bytes = Arrays.copyOf(bytes, composite.capacity());
        readOnly = Arrays.copyOf(readOnly, bytes.length);
        composite.setBytes(before, new byte[bytes.length - before], 0, bytes.length - before);
        type.write(composite, value);
        type.encode(bytes, writeOffset, value);
        writeOffset += size;
    }

    private void dropFront(int length) {
        bytes = Arrays.copyOfRange(bytes, length, bytes.length);
        readOnly = Arrays.copyOfRange(readOnly, length, readOnly.length);
        readOffset = Math.max(0, readOffset - length);
        writeOffset -= length;
    }

    private static byte[] array(Buffer buffer) {
        byte[] array = new byte[buffer.readableBytes()];
        buffer.readBytes(array);
        buffer.release();
        return array;
    }

    private void front() {
        int start = readOffset;
        switch (random.nextInt(3)) {
            case 0 -> {
                composite.discardRead();
                dropFront(start);
            }
            case 1 -> {
                if (start == writeOffset) {
                    assertThatThrownBy(composite::removeFirst)
                            .isInstanceOf(NoSuchElementException.class);
                    dropFront(start);
                } else {
                    byte[] head = array(composite.removeFirst());
                    assertThat(head)
                            .isNotEmpty()
                            .isEqualTo(Arrays.copyOfRange(bytes, start, start + head.length));
                    dropFront(start + head.length);
                }
            }
            default -> {
                int length = random.nextInt(writeOffset - start + 1);
                byte[] head = array(composite.split(length).flatten());
                assertThat(head).isEqualTo(Arrays.copyOfRange(bytes, start, start + length));
                dropFront(start + length);
            }
        }
    }

    private void parts() {
        int index = random.nextInt(bytes.length + 1);
        int length = random.nextInt(bytes.length - index + 1);
        byte[] expected = Arrays.copyOfRange(bytes, index, index + length);
        assertThat(array(composite.copy(index, length))).isEqualTo(expected);
        assertThat(array(composite.slice(index, length).flatten())).isEqualTo(expected);
        int total = 0;
        for (ByteBuffer view : composite.byteBuffers()) {
            total += view.remaining();
        }
        assertThat(total).isEqualTo(writeOffset - readOffset);
    }

    private void bulk() {
        byte[] some = someBytes();
        int index = random.nextInt(bytes.length + 1);
        if (index + some.length > bytes.length) {
            assertThatThrownBy(() -> composite.getBytes(index, some, 0, some.length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> composite.setBytes(index, some, 0, some.length))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        } else if (isReadOnly(index, some.length)) {
            assertThatThrownBy(() -> composite.setBytes(index, some, 0, some.length))
                    .isInstanceOf(ReadOnlyBufferException.class);
        } else {
            try (Buffer from = BufferAllocator.pooled().allocate(some.length)) {
                from.writeBytes(some);
                composite.setBytes(index, from, 0, some.length);
            }
            System.arraycopy(some, 0, bytes, index, some.length);
        }
    }

    private void search() {
        byte value = (byte) random.nextInt();
        int first = readOffset;
        while (first < writeOffset && bytes[first] != value) {
            first++;
        }
        int expected = first < writeOffset ? first : -1;
        assertThat(composite.indexOf(value)).isEqualTo(expected);
        assertThat(composite.forEachByte(each -> each != value)).isEqualTo(expected);
    }
}
