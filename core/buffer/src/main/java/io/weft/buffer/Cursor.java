package io.weft.buffer;

import io.weft.buffer.memory.Bytes;
import io.weft.buffer.memory.Utf8;
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

/// The half of [Buffer] that reads from its read offset on and writes from its write offset on.
///
/// Reading and writing move the offsets; each makes the check that the buffer is open and one
/// against an offset.
abstract sealed class Cursor extends Region permits Buffer {
    int readOffset;
    int writeOffset;

    /// @param writeLimit `capacity`, or -1
    Cursor(Block block, long address, int capacity, int writeLimit) {
        super(block, address, capacity, writeLimit);
    }

    /// Makes room for `length` more bytes behind the write offset.
    abstract void grow(int length);

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
        return self();
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
        return self();
    }

    public int readableBytes() {
        return writeOffset - readOffset;
    }

    /// Room for writing without growth; none in a read-only buffer.
    public int writableBytes() {
        return Math.max(0, writeLimit - writeOffset);
    }

    public boolean isReadable() {
        return readOffset < writeOffset;
    }

    /// Both offsets back to 0: nothing is readable, everything writable.
    public Buffer clear() {
        readOffset = 0;
        writeOffset = 0;
        return self();
    }

    public Buffer skipReadable(int length) {
        takeReadable(length);
        return self();
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
        return self();
    }

    /// Fills the rest of `to`, whose position moves to its limit.
    public Buffer readBytes(ByteBuffer to) {
        int length = to.remaining();
        Bytes.copy(peekReadable(length), to);
        readOffset += length;
        return self();
    }

    /// Writes `length` bytes to `to`; when that throws, those that may be there already count as
    /// read.
    public Buffer readBytes(OutputStream to, int length) throws IOException {
        peekReadable(length);
        Transfer.toStream(self(), to, length);
        return self();
    }

    /// Gives `to` up to `length` bytes, and returns how many it took.
    public int readBytes(WritableByteChannel to, int length) throws IOException {
        peekReadable(length);
        return Transfer.toChannel(self(), to, length);
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
        return self();
    }

    public Buffer writeBoolean(boolean value) {
        Memory.putByte(takeWritable(1), (byte) (value ? 1 : 0));
        return self();
    }

    public Buffer writeShort(int value) {
        Memory.putShortBE(takeWritable(2), (short) value);
        return self();
    }

    public Buffer writeShortLE(int value) {
        Memory.putShortLE(takeWritable(2), (short) value);
        return self();
    }

    public Buffer writeMedium(int value) {
        Medium.putBE(takeWritable(3), value);
        return self();
    }

    public Buffer writeMediumLE(int value) {
        Medium.putLE(takeWritable(3), value);
        return self();
    }

    public Buffer writeInt(int value) {
        Memory.putIntBE(takeWritable(4), value);
        return self();
    }

    public Buffer writeIntLE(int value) {
        Memory.putIntLE(takeWritable(4), value);
        return self();
    }

    public Buffer writeLong(long value) {
        Memory.putLongBE(takeWritable(8), value);
        return self();
    }

    public Buffer writeLongLE(long value) {
        Memory.putLongLE(takeWritable(8), value);
        return self();
    }

    public Buffer writeFloat(float value) {
        Memory.putIntBE(takeWritable(4), Float.floatToRawIntBits(value));
        return self();
    }

    public Buffer writeFloatLE(float value) {
        Memory.putIntLE(takeWritable(4), Float.floatToRawIntBits(value));
        return self();
    }

    public Buffer writeDouble(double value) {
        Memory.putLongBE(takeWritable(8), Double.doubleToRawLongBits(value));
        return self();
    }

    public Buffer writeDoubleLE(double value) {
        Memory.putLongLE(takeWritable(8), Double.doubleToRawLongBits(value));
        return self();
    }

    public Buffer writeBytes(byte[] from) {
        return writeBytes(from, 0, from.length);
    }

    public Buffer writeBytes(byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        Memory.copy(from, offset, takeWritable(length), length);
        return self();
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
        return self();
    }

    /// Takes the rest of `from`, whose position moves to its limit.
    public Buffer writeBytes(ByteBuffer from) {
        int length = from.remaining();
        Bytes.copy(from, takeWritable(length));
        return self();
    }

    /// Takes `length` bytes of `from`, waiting for them; fewer at its end.
    ///
    /// @return how many there were, or -1 at the end of `from`
    public int writeBytes(InputStream from, int length) throws IOException {
        return Transfer.fromStream(from, self(), length);
    }

    /// Takes up to `length` bytes of `from`, as one read gives.
    ///
    /// @return how many there were, or -1 at the end of `from`
    public int writeBytes(ReadableByteChannel from, int length) throws IOException {
        return Transfer.fromChannel(from, self(), length);
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
        return self();
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
        return self();
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
        return self();
    }

    // ---- checks ----

    final long peekReadable(int length) {
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

    final long takeReadable(int length) {
        long start = peekReadable(length);
        readOffset += length;
        return start;
    }

    final long peekWritable(int length) {
        if (CHECK_ACCESSIBLE && block == null) {
            alive();
        }
        if (length > writeLimit - writeOffset) {
            grow(length);
        }
        return Memory.bounded(address + writeOffset);
    }

    final long takeWritable(int length) {
        long start = peekWritable(length);
        writeOffset += length;
        return start;
    }
}
