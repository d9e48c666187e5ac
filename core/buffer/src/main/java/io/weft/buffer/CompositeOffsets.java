package io.weft.buffer;

import java.nio.charset.Charset;

/// The part of [CompositeBuffer] that knows the offsets: reading and writing one after the other.
abstract sealed class CompositeOffsets extends CompositeRegion permits CompositeBuffer {
    int readOffset;
    int writeOffset;

    public int readOffset() {
        return readOffset;
    }

    public int writeOffset() {
        return writeOffset;
    }

    /// @throws IndexOutOfBoundsException unless 0 <= offset <= writeOffset
    public CompositeBuffer readOffset(int offset) {
        if (offset < 0 || offset > writeOffset) {
            throw new IndexOutOfBoundsException(
                    "readOffset: " + offset + " (expected: 0 to writeOffset " + writeOffset + ")");
        }
        readOffset = offset;
        return self();
    }

    /// @throws IndexOutOfBoundsException unless readOffset <= offset <= capacity
    public CompositeBuffer writeOffset(int offset) {
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

    /// Room for writing without another component.
    public int writableBytes() {
        return capacity - writeOffset;
    }

    public boolean isReadable() {
        return readOffset < writeOffset;
    }

    /// Both offsets back to 0: nothing is readable, everything writable.
    public CompositeBuffer clear() {
        readOffset = 0;
        writeOffset = 0;
        return self();
    }

    public CompositeBuffer skipReadable(int length) {
        takeReadable(length);
        return self();
    }

    // ---- reading; big-endian unless the name ends in LE ----

    public byte readByte() {
        return getByte(takeReadable(1));
    }

    public int readUnsignedByte() {
        return getUnsignedByte(takeReadable(1));
    }

    public boolean readBoolean() {
        return getBoolean(takeReadable(1));
    }

    public short readShort() {
        return getShort(takeReadable(2));
    }

    public short readShortLE() {
        return getShortLE(takeReadable(2));
    }

    public int readUnsignedShort() {
        return getUnsignedShort(takeReadable(2));
    }

    public int readUnsignedShortLE() {
        return getUnsignedShortLE(takeReadable(2));
    }

    public int readMedium() {
        return getMedium(takeReadable(3));
    }

    public int readMediumLE() {
        return getMediumLE(takeReadable(3));
    }

    public int readUnsignedMedium() {
        return getUnsignedMedium(takeReadable(3));
    }

    public int readUnsignedMediumLE() {
        return getUnsignedMediumLE(takeReadable(3));
    }

    public int readInt() {
        return getInt(takeReadable(4));
    }

    public int readIntLE() {
        return getIntLE(takeReadable(4));
    }

    public long readUnsignedInt() {
        return getUnsignedInt(takeReadable(4));
    }

    public long readUnsignedIntLE() {
        return getUnsignedIntLE(takeReadable(4));
    }

    public long readLong() {
        return getLong(takeReadable(8));
    }

    public long readLongLE() {
        return getLongLE(takeReadable(8));
    }

    public float readFloat() {
        return getFloat(takeReadable(4));
    }

    public float readFloatLE() {
        return getFloatLE(takeReadable(4));
    }

    public double readDouble() {
        return getDouble(takeReadable(8));
    }

    public double readDoubleLE() {
        return getDoubleLE(takeReadable(8));
    }

    public CompositeBuffer readBytes(byte[] to) {
        return readBytes(to, 0, to.length);
    }

    public CompositeBuffer readBytes(byte[] to, int offset, int length) {
        requireReadable(length);
        getBytes(readOffset, to, offset, length);
        readOffset += length;
        return self();
    }

    /// `length` readable bytes as text; they count as read.
    public String readString(int length, Charset charset) {
        requireReadable(length);
        byte[] bytes = new byte[length];
        readBytes(bytes);
        return new String(bytes, charset);
    }

    // ---- writing, also to another component that is added for it; big-endian unless the name ends
    // in LE ----

    public CompositeBuffer writeByte(int value) {
        setByte(writable(1), value);
        return wrote(1);
    }

    public CompositeBuffer writeBoolean(boolean value) {
        setBoolean(writable(1), value);
        return wrote(1);
    }

    public CompositeBuffer writeShort(int value) {
        setShort(writable(2), value);
        return wrote(2);
    }

    public CompositeBuffer writeShortLE(int value) {
        setShortLE(writable(2), value);
        return wrote(2);
    }

    public CompositeBuffer writeMedium(int value) {
        setMedium(writable(3), value);
        return wrote(3);
    }

    public CompositeBuffer writeMediumLE(int value) {
        setMediumLE(writable(3), value);
        return wrote(3);
    }

    public CompositeBuffer writeInt(int value) {
        setInt(writable(4), value);
        return wrote(4);
    }

    public CompositeBuffer writeIntLE(int value) {
        setIntLE(writable(4), value);
        return wrote(4);
    }

    public CompositeBuffer writeLong(long value) {
        setLong(writable(8), value);
        return wrote(8);
    }

    public CompositeBuffer writeLongLE(long value) {
        setLongLE(writable(8), value);
        return wrote(8);
    }

    public CompositeBuffer writeFloat(float value) {
        setFloat(writable(4), value);
        return wrote(4);
    }

    public CompositeBuffer writeFloatLE(float value) {
        setFloatLE(writable(4), value);
        return wrote(4);
    }

    public CompositeBuffer writeDouble(double value) {
        setDouble(writable(8), value);
        return wrote(8);
    }

    public CompositeBuffer writeDoubleLE(double value) {
        setDoubleLE(writable(8), value);
        return wrote(8);
    }

    public CompositeBuffer writeBytes(byte[] from) {
        return writeBytes(from, 0, from.length);
    }

    public CompositeBuffer writeBytes(byte[] from, int offset, int length) {
        setBytes(writable(length), from, offset, length);
        return wrote(length);
    }

    /// Takes a copy of all readable bytes of `from`, which is not released. [CompositeBuffer#add]
    /// takes `from` itself.
    public CompositeBuffer writeBytes(Buffer from) {
        int length = from.readableBytes();
        setBytes(writable(length), from, from.readOffset(), length);
        from.skipReadable(length);
        return wrote(length);
    }

    // ---- searching ----

    /// Index of the first readable `value`, or -1.
    public int indexOf(byte value) {
        return indexOf(value, readOffset, writeOffset);
    }

    /// Index where the first occurrence of `needle` in the readable bytes begins, or -1. An empty
    /// needle is found at readOffset.
    public int indexOf(byte[] needle) {
        alive();
        if (needle.length == 0) {
            return readOffset;
        }
        int last = forEachByte(new KnuthMorrisPratt(needle));
        return last < 0 ? -1 : last - needle.length + 1;
    }

    /// Shows the readable bytes to `processor` until it returns false; they do not count as read.
    ///
    /// @return the index of the byte for which it returned false, or -1
    public int forEachByte(ByteProcessor processor) {
        return forEachByte(readOffset, writeOffset, processor);
    }

    // ---- checks ----

    final void requireReadable(int length) {
        if (length < 0 || length > writeOffset - readOffset) {
            alive();
            throw new IndexOutOfBoundsException(
                    "length: "
                            + length
                            + " (expected: at most readableBytes "
                            + readableBytes()
                            + ")");
        }
    }

    /// Counts `length` bytes as read, and returns the index of the first.
    private int takeReadable(int length) {
        requireReadable(length);
        int index = readOffset;
        readOffset += length;
        return index;
    }

    /// The index where the next `length` bytes go, for which there is room.
    private int writable(int length) {
        if (length > capacity - writeOffset) {
            self().ensureWritable(length);
        }
        return writeOffset;
    }

    private CompositeBuffer wrote(int length) {
        writeOffset += length;
        return self();
    }
}
