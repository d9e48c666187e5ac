package io.weft.buffer;

import io.weft.ffi.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.Charset;
import java.util.Objects;
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
public final class Buffer extends Region implements AutoCloseable {
    private int readOffset;
    private int writeOffset;

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

    // ---- offsets ----

    public int readOffset() {
        return readOffset;
    }

    public int writeOffset() {
        return writeOffset;
    }

    /// @throws IndexOutOfBoundsException unless 0 <= offset <= writeOffset
    public Buffer readOffset(int offset) {
        if (offset < 0 || offset > writeOffset) {
            throw new IndexOutOfBoundsException(
                    "readOffset: " + offset + " (expected: 0 to writeOffset " + writeOffset + ")");
        }
        readOffset = offset;
        return this;
    }

    /// @throws IndexOutOfBoundsException unless readOffset <= offset <= capacity
    public Buffer writeOffset(int offset) {
        if (offset < readOffset || offset > capacity) {
            throw new IndexOutOfBoundsException(
                    "writeOffset: "
                            + offset
                            + " (expected: readOffset "
                            + readOffset
                            + " to capacity "
                            + capacity
                            + ")");
        }
        writeOffset = offset;
        return this;
    }

    public int readableBytes() {
        return writeOffset - readOffset;
    }

    /// Room for writing without growth; none in a read-only buffer.
    public int writableBytes() {
        return Math.max(0, writeLimit - writeOffset);
    }

    /// The capacity up to which writing makes this buffer grow, in bytes.
    public int maxCapacity() {
        return maxCapacity;
    }

    public boolean isReadable() {
        return readOffset < writeOffset;
    }

    /// Both offsets back to 0: nothing is readable, everything writable.
    public Buffer clear() {
        readOffset = 0;
        writeOffset = 0;
        return this;
    }

    public Buffer skipReadable(int length) {
        takeReadable(length);
        return this;
    }

    // ---- reading; big-endian unless the name ends in LE ----

    public byte readByte() {
        return Memory.getByte(takeReadable(1));
    }

    public int readUnsignedByte() {
        return Memory.getByte(takeReadable(1)) & 0xFF;
    }

    public boolean readBoolean() {
        return Memory.getByte(takeReadable(1)) != 0;
    }

    public short readShort() {
        return Memory.getShortBE(takeReadable(2));
    }

    public short readShortLE() {
        return Memory.getShortLE(takeReadable(2));
    }

    public int readUnsignedShort() {
        return Memory.getShortBE(takeReadable(2)) & 0xFFFF;
    }

    public int readUnsignedShortLE() {
        return Memory.getShortLE(takeReadable(2)) & 0xFFFF;
    }

    public int readMedium() {
        return Medium.getBE(takeReadable(3));
    }

    public int readMediumLE() {
        return Medium.getLE(takeReadable(3));
    }

    public int readUnsignedMedium() {
        return Medium.getBE(takeReadable(3)) & 0xFFFFFF;
    }

    public int readUnsignedMediumLE() {
        return Medium.getLE(takeReadable(3)) & 0xFFFFFF;
    }

    public int readInt() {
        return Memory.getIntBE(takeReadable(4));
    }

    public int readIntLE() {
        return Memory.getIntLE(takeReadable(4));
    }

    public long readUnsignedInt() {
        return Memory.getIntBE(takeReadable(4)) & 0xFFFF_FFFFL;
    }

    public long readUnsignedIntLE() {
        return Memory.getIntLE(takeReadable(4)) & 0xFFFF_FFFFL;
    }

    public long readLong() {
        return Memory.getLongBE(takeReadable(8));
    }

    public long readLongLE() {
        return Memory.getLongLE(takeReadable(8));
    }

    public float readFloat() {
        return Float.intBitsToFloat(Memory.getIntBE(takeReadable(4)));
    }

    public float readFloatLE() {
        return Float.intBitsToFloat(Memory.getIntLE(takeReadable(4)));
    }

    public double readDouble() {
        return Double.longBitsToDouble(Memory.getLongBE(takeReadable(8)));
    }

    public double readDoubleLE() {
        return Double.longBitsToDouble(Memory.getLongLE(takeReadable(8)));
    }

    public Buffer readBytes(byte[] to) {
        return readBytes(to, 0, to.length);
    }

    public Buffer readBytes(byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        Memory.copy(takeReadable(length), to, offset, length);
        return this;
    }

    /// Fills the rest of `to`, whose position moves to its limit.
    public Buffer readBytes(ByteBuffer to) {
        int length = to.remaining();
        Bytes.copy(peekReadable(length), to);
        readOffset += length;
        return this;
    }

    /// Writes `length` bytes to `to`; when that throws, those that may be there already count as
    /// read.
    public Buffer readBytes(OutputStream to, int length) throws IOException {
        peekReadable(length);
        Transfer.toStream(this, to, length);
        return this;
    }

    /// Gives `to` up to `length` bytes, and returns how many it took.
    public int readBytes(WritableByteChannel to, int length) throws IOException {
        peekReadable(length);
        return Transfer.toChannel(this, to, length);
    }

    /// All readable bytes as text; they count as read.
    public String readString(Charset charset) {
        return readString(readableBytes(), charset);
    }

    public String readString(int length, Charset charset) {
        return Bytes.string(takeReadable(length), length, charset);
    }

    // ---- writing; big-endian unless the name ends in LE ----

    public Buffer writeByte(int value) {
        Memory.putByte(takeWritable(1), (byte) value);
        return this;
    }

    public Buffer writeBoolean(boolean value) {
        Memory.putByte(takeWritable(1), (byte) (value ? 1 : 0));
        return this;
    }

    public Buffer writeShort(int value) {
        Memory.putShortBE(takeWritable(2), (short) value);
        return this;
    }

    public Buffer writeShortLE(int value) {
        Memory.putShortLE(takeWritable(2), (short) value);
        return this;
    }

    public Buffer writeMedium(int value) {
        Medium.putBE(takeWritable(3), value);
        return this;
    }

    public Buffer writeMediumLE(int value) {
        Medium.putLE(takeWritable(3), value);
        return this;
    }

    public Buffer writeInt(int value) {
        Memory.putIntBE(takeWritable(4), value);
        return this;
    }

    public Buffer writeIntLE(int value) {
        Memory.putIntLE(takeWritable(4), value);
        return this;
    }

    public Buffer writeLong(long value) {
        Memory.putLongBE(takeWritable(8), value);
        return this;
    }

    public Buffer writeLongLE(long value) {
        Memory.putLongLE(takeWritable(8), value);
        return this;
    }

    public Buffer writeFloat(float value) {
        Memory.putIntBE(takeWritable(4), Float.floatToRawIntBits(value));
        return this;
    }

    public Buffer writeFloatLE(float value) {
        Memory.putIntLE(takeWritable(4), Float.floatToRawIntBits(value));
        return this;
    }

    public Buffer writeDouble(double value) {
        Memory.putLongBE(takeWritable(8), Double.doubleToRawLongBits(value));
        return this;
    }

    public Buffer writeDoubleLE(double value) {
        Memory.putLongLE(takeWritable(8), Double.doubleToRawLongBits(value));
        return this;
    }

    public Buffer writeBytes(byte[] from) {
        return writeBytes(from, 0, from.length);
    }

    public Buffer writeBytes(byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        Memory.copy(from, offset, takeWritable(length), length);
        return this;
    }

    /// Takes all readable bytes of `from`, which is not released.
    public Buffer writeBytes(Buffer from) {
        return writeBytes(from, from.readableBytes());
    }

    /// Takes `length` readable bytes of `from`, which is not released.
    public Buffer writeBytes(Buffer from, int length) {
        from.peekReadable(length);
        long to = takeWritable(length);
        // Taken after growth, which moves the source when it is this buffer.
        Memory.copy(from.address + from.readOffset, to, length);
        from.readOffset += length;
        return this;
    }

    /// Takes the rest of `from`, whose position moves to its limit.
    public Buffer writeBytes(ByteBuffer from) {
        int length = from.remaining();
        Bytes.copy(from, takeWritable(length));
        return this;
    }

    /// Takes `length` bytes of `from`, waiting for them; fewer at its end.
    ///
    /// @return how many there were, or -1 at the end of `from`
    public int writeBytes(InputStream from, int length) throws IOException {
        return Transfer.fromStream(from, this, length);
    }

    /// Takes up to `length` bytes of `from`, as one read gives.
    ///
    /// @return how many there were, or -1 at the end of `from`
    public int writeBytes(ReadableByteChannel from, int length) throws IOException {
        return Transfer.fromChannel(from, this, length);
    }

    /// Writes `text` in UTF-8 and returns how many bytes that took. A surrogate without its other
    /// half becomes '?'.
    public int writeUtf8(CharSequence text) {
        int before = writeOffset;
        int length = text.length();
        long most = (long) length * Utf8.MAX_BYTES_PER_CHAR;
        if (most > writableBytes()) {
            // Only a text that cannot change may be measured first.
            long room = text instanceof String s ? Utf8.length(s) : most;
            ensureWritable((int) Math.min(room, Integer.MAX_VALUE));
        }
        long to = peekWritable(0);
        writeOffset += (int) (Utf8.encode(text, length, to) - to);
        return writeOffset - before;
    }

    /// Writes one byte a char; those above U+00FF become '?'.
    public Buffer writeLatin1(CharSequence text) {
        int length = text.length();
        long to = peekWritable(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            Memory.putByte(to + i, c <= 0xFF ? (byte) c : (byte) '?');
        }
        writeOffset += length;
        return this;
    }

    /// Writes the low byte of each character; meant for text that is ASCII (or Latin-1) by
    /// construction.
    public Buffer writeAscii(CharSequence text) {
        int length = text.length();
        long to = peekWritable(length);
        for (int i = 0; i < length; i++) {
            Memory.putByte(to + i, (byte) text.charAt(i));
        }
        writeOffset += length;
        return this;
    }

    /// Makes room for `length` more bytes, moving to larger memory when this buffer's block has no
    /// more. What has been written stays as it is, read or not; bytes from writeOffset on are
    /// undefined afterwards.
    ///
    /// @throws MemoryLimitException when this buffer's or the allocator's limit is reached; the
    ///     buffer is as it was
    /// @throws ReadOnlyBufferException when the buffer is read-only
    public Buffer ensureWritable(int length) {
        if (length > writeLimit - writeOffset) {
            grow(length);
        }
        return this;
    }

    private void grow(int length) {
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

    // ---- checks ----

    private long peekReadable(int length) {
        if (CHECK_ACCESSIBLE && block == null) {
            alive();
        }
        if (length < 0 || length > writeOffset - readOffset) {
            throw new IndexOutOfBoundsException(
                    "length: "
                            + length
                            + " (expected: at most readableBytes "
                            + readableBytes()
                            + ")");
        }
        return Memory.bounded(address + readOffset);
    }

    private long takeReadable(int length) {
        long start = peekReadable(length);
        readOffset += length;
        return start;
    }

    private long peekWritable(int length) {
        if (CHECK_ACCESSIBLE && block == null) {
            alive();
        }
        if (length > writeLimit - writeOffset) {
            grow(length);
        }
        return Memory.bounded(address + writeOffset);
    }

    private long takeWritable(int length) {
        long start = peekWritable(length);
        writeOffset += length;
        return start;
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
