package io.weft.buffer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.NoSuchElementException;

/// Buffers in a row that are read, overwritten and sent as one, without a copy.
///
/// ```
/// 0            readOffset        writeOffset      capacity
/// | discardable |    readable     |    writable    |
/// |  component 0  |  component 1  |  component 2   |
/// ```
///
/// It has the offsets and the access methods of a [Buffer], but is not one, so that buffers stay
/// one concrete class. A channel takes one as a message and sends its components as they are; code
/// that needs contiguous bytes calls [#flatten].
///
/// **Ownership.** A composite owns its components and has one owner itself, which passes it on or
/// calls [#release] once. A buffer that is added is given away. [#slice] and [#split] give
/// composites of their own on the same memory.
///
/// **Threads.** As for a buffer: one at a time.
public final class CompositeBuffer extends CompositeOffsets implements AutoCloseable {
    private static final int MIN_GROWTH = 256;
    private static final int MAX_GROWTH = 1 << 16;

    private final BufferAllocator allocator;

    /// An empty one.
    ///
    /// @param allocator where copies and room for writing come from
    public CompositeBuffer(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    // ---- components ----

    /// Number of components between 0 and capacity.
    public int components() {
        return components.count();
    }

    /// Takes over `component`, whose readable bytes follow what is readable here. Room for writing
    /// that is left here is given up. Other owners of `component` keep what they have.
    ///
    /// @throws MemoryLimitException when that were more than [BufferAllocator#MAX_CAPACITY];
    ///     `component` is released
    public CompositeBuffer add(Buffer component) {
        try {
            alive();
            int length = component.readableBytes();
            requireRoom(length);
            // A handle of its own: whatever the giver still does with the old one, this memory
            // stays.
            Buffer own = component.slice(component.readOffset(), length);
            dropWritable();
            append(own);
            writeOffset = capacity;
        } finally {
            component.release();
        }
        return this;
    }

    /// Takes over what is readable in `other`.
    ///
    /// @throws MemoryLimitException when that were more than [BufferAllocator#MAX_CAPACITY];
    ///     `other` is released
    public CompositeBuffer add(CompositeBuffer other) {
        if (other == this) {
            throw new IllegalArgumentException("other: this composite (expected: another one)");
        }
        try {
            alive();
            requireRoom(other.readableBytes());
            dropWritable();
            while (other.isReadable()) {
                append(other.removeFirst());
                writeOffset = capacity;
            }
        } finally {
            other.release();
        }
        return this;
    }

    /// Takes out the first readable component: its readable bytes, which the caller owns. What has
    /// been read is dropped.
    ///
    /// @throws NoSuchElementException when nothing is readable
    public Buffer removeFirst() {
        discardRead();
        if (writeOffset == 0) {
            throw new NoSuchElementException("readableBytes: 0 (expected: at least 1)");
        }
        return removeAtMost(writeOffset);
    }

    /// Takes out the first component, or its first `length` bytes, while nothing counts as read.
    private Buffer removeAtMost(int length) {
        int whole = components.end(components.slot(0));
        Buffer head = whole <= length ? components.removeFirst() : components.splitFirst(length);
        writeOffset -= head.readableBytes();
        changed();
        return head;
    }

    /// Cuts off the first `length` readable bytes into a composite of their own, which the caller
    /// owns. What has been read is dropped here, and so is what was cut off: index 0 is the byte
    /// behind it.
    public CompositeBuffer split(int length) {
        alive();
        requireReadable(length);
        discardRead();
        CompositeBuffer head = new CompositeBuffer(allocator);
        while (head.capacity < length) {
            head.append(removeAtMost(length - head.capacity));
        }
        head.writeOffset = length;
        return head;
    }

    /// A composite of its own over [index, index + length), all of it readable; the caller owns it.
    /// Both see the same bytes.
    public CompositeBuffer slice(int index, int length) {
        check(index, length);
        CompositeBuffer slice = new CompositeBuffer(allocator);
        while (slice.capacity < length) {
            int at = index + slice.capacity;
            int n = Math.min(length - slice.capacity, reach(at));
            slice.append(component().slice(indexInComponent(at), n));
        }
        slice.writeOffset = length;
        return slice;
    }

    /// Drops what has been read: index 0 is the first readable byte then.
    public CompositeBuffer discardRead() {
        alive();
        components.dropFirst(readOffset);
        writeOffset -= readOffset;
        readOffset = 0;
        changed();
        return this;
    }

    private void append(Buffer own) {
        if (own.isReadable()) {
            someReadOnly |= own.isReadOnly();
            components.append(own);
            changed();
        } else {
            own.release();
        }
    }

    private void requireRoom(int length) {
        long wanted = (long) writeOffset + length;
        if (wanted > BufferAllocator.MAX_CAPACITY) {
            throw new MemoryLimitException("capacity", wanted, BufferAllocator.MAX_CAPACITY);
        }
    }

    private void dropWritable() {
        if (writeOffset < capacity) {
            components.truncate(writeOffset);
            changed();
        }
    }

    /// Makes room for `length` more bytes by another component.
    ///
    /// @throws MemoryLimitException when the capacity's or the allocator's limit is reached;
    ///     nothing has changed then
    public CompositeBuffer ensureWritable(int length) {
        alive();
        int missing = length - (capacity - writeOffset);
        if (missing > 0) {
            requireRoom(length);
            int usual = Math.clamp(capacity, MIN_GROWTH, MAX_GROWTH);
            int size = Math.min(Math.max(missing, usual), BufferAllocator.MAX_CAPACITY - capacity);
            append(allocator.allocate(size).writeOffset(size));
        }
        return this;
    }

    // ---- as contiguous bytes ----

    /// A writable copy of the readable bytes from this composite's allocator, which the caller
    /// owns.
    public Buffer copy() {
        return copy(readOffset, readableBytes());
    }

    /// A writable copy of [index, index + length) from this composite's allocator, which the caller
    /// owns.
    public Buffer copy(int index, int length) {
        check(index, length);
        Buffer copy = allocator.allocate(length).writeOffset(length);
        getBytes(index, copy, 0, length);
        return copy;
    }

    /// The readable bytes as one buffer, which the caller owns; this composite is released. Copies
    /// unless one component has them all.
    ///
    /// @throws MemoryLimitException when there is no memory for a copy; the composite is as it was
    public Buffer flatten() {
        alive();
        int length = readableBytes();
        Buffer flat = length > 0 && reach(readOffset) >= length ? removeFirst() : copy();
        release();
        return flat;
    }

    /// JDK views of the readable bytes, one a component, valid while this composite is open: for a
    /// [java.nio.channels.GatheringByteChannel].
    public ByteBuffer[] byteBuffers() {
        alive();
        ByteBuffer[] views = new ByteBuffer[components.count()];
        int count = 0;
        for (int at = readOffset; at < writeOffset; ) {
            int n = Math.min(writeOffset - at, reach(at));
            views[count++] = component().byteBuffer(indexInComponent(at), n);
            at += n;
        }
        return Arrays.copyOf(views, count);
    }

    // ---- ownership ----

    /// Releases all components.
    ///
    /// @return true: the last owner gave it up
    /// @throws IllegalReferenceCountException when it was released already
    public boolean release() {
        alive();
        open = false;
        readOffset = 0;
        writeOffset = 0;
        components.release();
        changed();
        return true;
    }

    @Override
    public void close() {
        release();
    }

    /// 1, or 0 after the release.
    public int references() {
        return open ? 1 : 0;
    }

    @Override
    public String toString() {
        return "CompositeBuffer[read="
                + readOffset
                + ", write="
                + writeOffset
                + ", capacity="
                + capacity
                + ", components="
                + components.count()
                + ", references="
                + references()
                + "]";
    }
}
