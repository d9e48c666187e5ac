package io.weft.buffer;

import io.weft.buffer.leak.LeakTracker;
import io.weft.buffer.memory.Content;
import io.weft.buffer.memory.HexDump;
import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.jspecify.annotations.Nullable;

/// A run of off-heap bytes with a read and a write offset.
///
/// ```
/// 0            readOffset        writeOffset      capacity
/// | discardable |    readable     |    writable    |
/// ```
///
/// **Ownership.** Code that is given a buffer owns it, and passes it on or calls [#release] once.
/// [#retain] adds an owner. [#split] and [#slice] give buffers of their own on the same memory,
/// each to be released by its owner; the memory goes back to its allocator when the last of them is
/// released. Access after release throws.
///
/// **Equality** is identity: a buffer may be a key whatever becomes of its bytes. Those are
/// compared by [#contentEquals(Buffer)], [#contentHash] and [#compareContent].
///
/// **Threads.** A buffer is used by one thread at a time; handing it over needs a happens-before
/// edge, which every queue and every event loop gives. `retain` and `release` may race with each
/// other.
public final class Buffer extends Cursor implements AutoCloseable {
    /// The capacity up to which writing may make it grow.
    private final int maxCapacity;

    /// Null unless the leak detector follows this one.
    private @Nullable LeakTracker tracker;

    /// Null unless this buffer has unreleasable views or is one.
    private @Nullable Lending lending;

    /// The first buffer on a block.
    Buffer(Block block, long address, int capacity, int maxCapacity) {
        super(block, address, capacity, capacity);
        this.maxCapacity = maxCapacity;
        block.acquireFirst();
        opened(block);
    }

    /// Another buffer on the block of `from`, as writable as that one; all of it is readable.
    private Buffer(Block block, Buffer from, long address, int capacity) {
        // The sign of a write limit is what makes it read-only.
        super(block, address, capacity, capacity | (from.writeLimit >> 31));
        this.maxCapacity = from.maxCapacity;
        this.writeOffset = capacity;
        opened(block);
    }

    /// An unreleasable view of all of `from`, which cannot grow.
    private Buffer(Block block, Buffer from, Lending lending) {
        super(block, from.address, from.capacity, from.writeLimit);
        this.maxCapacity = from.capacity;
        this.readOffset = from.readOffset;
        this.writeOffset = from.writeOffset;
        this.lending = lending;
        becomeView();
    }

    private void opened(Block block) {
        Ledger.opened(this);
        if (BufferLeaks.ON && block.isFollowed()) {
            tracker = BufferLeaks.DETECTOR.follow(this);
        }
    }

    /// The capacity up to which writing makes this buffer grow, in bytes.
    public int maxCapacity() {
        return maxCapacity;
    }

    @Override
    void grow(int length) {
        Block from = alive();
        if (isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        long wanted = (long) writeOffset + length;
        if (wanted > maxCapacity) {
            throw new MemoryLimitException("capacity", wanted, maxCapacity);
        }
        int size = (int) Math.min(maxCapacity, Math.max(wanted, capacity * 2L));
        // The rest of the block is free for the taking only while nobody else has a part of it.
        long roomInBlock = from.address + from.size - address;
        if (wanted <= roomInBlock && from.isExclusive()) {
            capacity = (int) Math.min(roomInBlock, size);
            writeLimit = capacity;
            return;
        }
        addOwner(); // see part
        try {
            move(alive(), size);
        } finally {
            removeOwner();
        }
    }

    private void move(Block from, int size) {
        Block to = BufferAllocator.of(from).block(size);
        // With the bytes already read: who goes back to them must not find another buffer's.
        Memory.copy(address, to.address, writeOffset);
        to.acquireFirst();
        if (lending != null) {
            lending.end();
        }
        // The counts stay with the thread that they are split with.
        to.bias = from.bias;
        block = to;
        address = to.address;
        capacity = size;
        writeLimit = size;
        from.release(null);
    }

    // ---- searching and comparing ----

    /// Index of the first readable `value`, or -1.
    public int indexOf(byte value) {
        return indexOf(value, readOffset, writeOffset);
    }

    /// Index where the first occurrence of `needle` in the readable bytes begins, or -1.
    public int indexOf(byte[] needle) {
        return indexOf(needle, readOffset, writeOffset);
    }

    /// Shows the readable bytes to `processor` until it returns false; they do not count as read.
    ///
    /// @return the index of the byte for which it returned false, or -1
    public int forEachByte(ByteProcessor processor) {
        return forEachByte(readOffset, writeOffset, processor);
    }

    /// Tells if the readable bytes of both are the same.
    public boolean contentEquals(Buffer other) {
        int length = readableBytes();
        return length == other.readableBytes()
                && Memory.mismatch(peekReadable(length), other.peekReadable(length), length) < 0;
    }

    /// A hash of the readable bytes, the same for all buffers whose contents are equal. Peers can
    /// find collisions.
    public int contentHash() {
        int length = readableBytes();
        return Content.hash(peekReadable(length), length);
    }

    /// Orders buffers by their readable bytes: unsigned, and the beginning of another before that
    /// one.
    public static int compareContent(Buffer a, Buffer b) {
        int aLength = a.readableBytes();
        int bLength = b.readableBytes();
        return Content.compare(a.peekReadable(aLength), aLength, b.peekReadable(bLength), bLength);
    }

    /// The readable bytes in lines of sixteen, for people.
    public String hexDump() {
        int length = readableBytes();
        return HexDump.of(peekReadable(length), length);
    }

    // ---- parts ----

    /// Cuts off the first `length` readable bytes into a buffer of their own, which the caller
    /// owns; they count as read here. The part reaches none of the bytes left here. Indices here
    /// stay as they are, so that this buffer still reaches the bytes of the part: by index, or
    /// after [#readOffset(int)] or [#clear] by the other methods. An owner that has given the part
    /// away, to another thread perhaps, leaves everything before `readOffset` alone.
    public Buffer split(int length) {
        recordAccess("split");
        long start = takeReadable(length);
        return part(start, length);
    }

    /// A buffer of its own over [index, index + length), all of it readable; the caller owns it.
    /// Both see the same bytes.
    public Buffer slice(int index, int length) {
        return part(range(index, length), length);
    }

    /// A buffer of its own with the same bytes and offsets, which cannot be written through, nor
    /// through its parts; the caller owns it. What others write to the memory shows.
    public Buffer asReadOnly() {
        Buffer view = part(address, capacity);
        view.writeLimit = -1;
        view.writeOffset = writeOffset;
        view.readOffset = readOffset;
        return view;
    }

    private Buffer part(long start, int length) {
        // Owned meanwhile: a release by another thread, which is a mistake, cannot free the block
        // under it.
        Buffer owned = answering();
        owned.addOwner();
        Buffer part;
        try {
            Block shared = alive();
            shared.acquire();
            part = new Buffer(shared, this, start, length);
        } catch (Throwable t) {
            owned.removeOwner();
            throw t;
        }
        try {
            owned.removeOwner();
        } catch (IllegalReferenceCountException e) {
            // Another thread has released what is owned here: nobody gets the part.
            part.release();
            throw e;
        }
        return part;
    }

    /// A view of all of this buffer, with offsets of its own, that cannot be released: [#release]
    /// changes nothing and returns false, [#retain] changes nothing. It is for code that releases
    /// what it is given, and can be used until this buffer is released or moves to larger memory;
    /// then its access throws. It cannot grow. Parts of it are buffers like others, to be released.
    /// Unlike the other methods this one may be called by several threads, while none writes.
    public Buffer asUnreleasable() {
        Buffer owned = answering();
        owned.addOwner();
        try {
            Lending lent = owned.lending();
            Buffer view = new Buffer(alive(), this, lent);
            lent.add(view);
            return view;
        } finally {
            owned.removeOwner();
        }
    }

    private synchronized Lending lending() {
        Lending lent = lending;
        if (lent == null) {
            lent = new Lending(this);
            lending = lent;
        }
        return lent;
    }

    /// The buffer whose owners answer for this one.
    private Buffer answering() {
        return lending == null ? this : lending.lender;
    }

    @Override
    boolean isView() {
        return answering() != this;
    }

    /// Tells if [#release] and [#retain] change nothing: see [#asUnreleasable].
    public boolean isUnreleasable() {
        return isView();
    }

    /// A writable copy of the readable bytes, which the caller owns. No offset moves here.
    public Buffer copy() {
        return copy(readOffset, readableBytes());
    }

    /// A writable copy of [index, index + length), all of it readable, that may grow as this buffer
    /// may; the caller owns it.
    public Buffer copy(int index, int length) {
        range(index, length);
        Buffer copy = BufferAllocator.of(alive()).allocate(length, maxCapacity);
        copy.writeOffset(length).setBytes(0, this, index, length);
        return copy;
    }

    // ---- ownership ----

    /// Adds an owner: one more [#release] is due.
    ///
    /// @throws IllegalReferenceCountException when all owners have released, or at 2^29 owners
    public Buffer retain() {
        addOwner();
        recordAccess("retain");
        return this;
    }

    /// Gives up one ownership; returns true when that was seen to be the last one. (When another
    /// thread gives up its own at the same moment, both may return false; the memory goes back
    /// nevertheless.)
    ///
    /// @throws IllegalReferenceCountException when all owners have released already
    public boolean release() {
        boolean last = removeOwner();
        if (!last) {
            recordAccess("release");
        }
        return last;
    }

    @Override
    void closed() {
        Ledger.closed(this);
        if (BufferLeaks.ON && tracker != null) {
            tracker.close();
        }
        if (lending != null) {
            lending.end();
        }
    }

    @Override
    public void close() {
        release();
    }

    /// Tells the leak detector, if it follows this buffer and records accesses, that the buffer was
    /// here: see [LeakTracker#record()].
    public Buffer touch() {
        return touch(null);
    }

    /// As [#touch()].
    ///
    /// @param hint what to show in a report, such as the handler that has the buffer
    public Buffer touch(@Nullable Object hint) {
        recordAccess(hint);
        return this;
    }

    private void recordAccess(@Nullable Object hint) {
        if (BufferLeaks.RECORDING && tracker != null) {
            tracker.record(hint);
        }
    }

    /// Number of owners; 0 after the last release. Those of an unreleasable view are its buffer's.
    public int references() {
        return isView() && block != null ? answering().owners() : owners();
    }

    // ---- for engines ----

    /// Address of offset 0, valid while this buffer is open. Engines only: what is read or written
    /// there is unchecked.
    public long address() {
        alive();
        return address;
    }

    /// A JDK view of `length` bytes from `index`, valid while this buffer is open, and read-only if
    /// this buffer is.
    public ByteBuffer byteBuffer(int index, int length) {
        ByteBuffer view = Memory.byteBuffer(range(index, length), length);
        return isReadOnly() ? view.asReadOnlyBuffer() : view;
    }

    @Override
    public String toString() {
        return "Buffer[read="
                + readOffset
                + ", write="
                + writeOffset
                + ", capacity="
                + capacity
                + ", references="
                + references()
                + "]";
    }
}
