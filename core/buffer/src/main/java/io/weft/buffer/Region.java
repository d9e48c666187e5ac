package io.weft.buffer;

import io.weft.buffer.memory.Bytes;
import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.util.Objects;

/// The half of [Buffer] that knows no offsets: checked access by index, to bytes 0 to capacity.
///
/// Every access makes two checks, that the buffer is open and that the index is inside. The first
/// is a plain read, the second the one range check that the JIT knows ([Objects#checkIndex]): loops
/// pay for neither.
abstract sealed class Region extends Owned permits Cursor {
    static final boolean CHECK_ACCESSIBLE =
            !"false".equals(System.getProperty("io.weft.checkAccessible"));
    private static final boolean CHECK_BOUNDS =
            !"false".equals(System.getProperty("io.weft.checkBounds"));

    long address;
    int capacity;

    /// As `capacity`, or -1 when the bytes are read-only. What appends is checked against this one:
    /// then no length fits, and appending pays for no check of its own.
    int writeLimit;

    /// @param writeLimit `capacity`, or -1
    Region(Block block, long address, int capacity, int writeLimit) {
        super(block);
        this.address = address;
        this.capacity = capacity;
        this.writeLimit = writeLimit;
    }

    /// Number of bytes that the buffer has room for now.
    public int capacity() {
        return capacity;
    }

    /// Tells if writing throws [ReadOnlyBufferException].
    public boolean isReadOnly() {
        return writeLimit < 0;
    }

    // ---- values by index; big-endian unless the name ends in LE ----

    public byte getByte(int index) {
        return Memory.getByte(at(index, 1));
    }

    public Buffer setByte(int index, int value) {
        Memory.putByte(settable(index, 1), (byte) value);
        return self();
    }

    public int getUnsignedByte(int index) {
        return Memory.getByte(at(index, 1)) & 0xFF;
    }

    public boolean getBoolean(int index) {
        return Memory.getByte(at(index, 1)) != 0;
    }

    public Buffer setBoolean(int index, boolean value) {
        Memory.putByte(settable(index, 1), (byte) (value ? 1 : 0));
        return self();
    }

    public short getShort(int index) {
        return Memory.getShortBE(at(index, 2));
    }

    public Buffer setShort(int index, int value) {
        Memory.putShortBE(settable(index, 2), (short) value);
        return self();
    }

    public short getShortLE(int index) {
        return Memory.getShortLE(at(index, 2));
    }

    public Buffer setShortLE(int index, int value) {
        Memory.putShortLE(settable(index, 2), (short) value);
        return self();
    }

    public int getUnsignedShort(int index) {
        return Memory.getShortBE(at(index, 2)) & 0xFFFF;
    }

    public int getUnsignedShortLE(int index) {
        return Memory.getShortLE(at(index, 2)) & 0xFFFF;
    }

    public int getMedium(int index) {
        return Medium.getBE(at(index, 3));
    }

    public Buffer setMedium(int index, int value) {
        Medium.putBE(settable(index, 3), value);
        return self();
    }

    public int getMediumLE(int index) {
        return Medium.getLE(at(index, 3));
    }

    public Buffer setMediumLE(int index, int value) {
        Medium.putLE(settable(index, 3), value);
        return self();
    }

    public int getUnsignedMedium(int index) {
        return Medium.getBE(at(index, 3)) & 0xFFFFFF;
    }

    public int getUnsignedMediumLE(int index) {
        return Medium.getLE(at(index, 3)) & 0xFFFFFF;
    }

    public int getInt(int index) {
        return Memory.getIntBE(at(index, 4));
    }

    public Buffer setInt(int index, int value) {
        Memory.putIntBE(settable(index, 4), value);
        return self();
    }

    public int getIntLE(int index) {
        return Memory.getIntLE(at(index, 4));
    }

    public Buffer setIntLE(int index, int value) {
        Memory.putIntLE(settable(index, 4), value);
        return self();
    }

    public long getUnsignedInt(int index) {
        return Memory.getIntBE(at(index, 4)) & 0xFFFF_FFFFL;
    }

    public long getUnsignedIntLE(int index) {
        return Memory.getIntLE(at(index, 4)) & 0xFFFF_FFFFL;
    }

    public long getLong(int index) {
        return Memory.getLongBE(at(index, 8));
    }

    public Buffer setLong(int index, long value) {
        Memory.putLongBE(settable(index, 8), value);
        return self();
    }

    public long getLongLE(int index) {
        return Memory.getLongLE(at(index, 8));
    }

    public Buffer setLongLE(int index, long value) {
        Memory.putLongLE(settable(index, 8), value);
        return self();
    }

    public float getFloat(int index) {
        return Float.intBitsToFloat(Memory.getIntBE(at(index, 4)));
    }

    public Buffer setFloat(int index, float value) {
        Memory.putIntBE(settable(index, 4), Float.floatToRawIntBits(value));
        return self();
    }

    public float getFloatLE(int index) {
        return Float.intBitsToFloat(Memory.getIntLE(at(index, 4)));
    }

    public Buffer setFloatLE(int index, float value) {
        Memory.putIntLE(settable(index, 4), Float.floatToRawIntBits(value));
        return self();
    }

    public double getDouble(int index) {
        return Double.longBitsToDouble(Memory.getLongBE(at(index, 8)));
    }

    public Buffer setDouble(int index, double value) {
        Memory.putLongBE(settable(index, 8), Double.doubleToRawLongBits(value));
        return self();
    }

    public double getDoubleLE(int index) {
        return Double.longBitsToDouble(Memory.getLongLE(at(index, 8)));
    }

    public Buffer setDoubleLE(int index, double value) {
        Memory.putLongLE(settable(index, 8), Double.doubleToRawLongBits(value));
        return self();
    }

    // ---- bytes by index ----

    public Buffer getBytes(int index, byte[] to, int offset, int length) {
        Memory.copy(range(index, length), to, offset, length);
        return self();
    }

    public Buffer setBytes(int index, byte[] from, int offset, int length) {
        Memory.copy(from, offset, settableRange(index, length), length);
        return self();
    }

    public Buffer getBytes(int index, Buffer to, int toIndex, int length) {
        Memory.copy(range(index, length), to.settableRange(toIndex, length), length);
        return self();
    }

    public Buffer setBytes(int index, Buffer from, int fromIndex, int length) {
        from.getBytes(fromIndex, self(), index, length);
        return self();
    }

    /// Fills the rest of `to`, whose position moves to its limit.
    public Buffer getBytes(int index, ByteBuffer to) {
        Bytes.copy(range(index, to.remaining()), to);
        return self();
    }

    /// Takes the rest of `from`, whose position moves to its limit.
    public Buffer setBytes(int index, ByteBuffer from) {
        Bytes.copy(from, settableRange(index, from.remaining()));
        return self();
    }

    public Buffer fill(int index, int length, int value) {
        Memory.fill(settableRange(index, length), length, (byte) value);
        return self();
    }

    public String getString(int index, int length, Charset charset) {
        return Bytes.string(range(index, length), length, charset);
    }

    // ---- searching and comparing by index ----

    /// Index of the first `value` in [from, to), or -1.
    public int indexOf(byte value, int from, int to) {
        return Search.indexOf(between(from, to), to - from, value, from);
    }

    /// Index of the last `value` in [from, to), or -1.
    public int lastIndexOf(byte value, int from, int to) {
        return Search.lastIndexOf(between(from, to), to - from, value, from);
    }

    /// Index in [from, to) where the first occurrence of `needle` begins that ends before `to`, or
    /// -1. An empty needle is found at `from`.
    public int indexOf(byte[] needle, int from, int to) {
        return Search.indexOf(between(from, to), to - from, needle, from);
    }

    /// Shows the bytes in [from, to) to `processor` until it returns false.
    ///
    /// @return the index of the byte for which it returned false, or -1
    public int forEachByte(int from, int to, ByteProcessor processor) {
        between(from, to);
        for (int i = from; i < to; i++) {
            // Checked singly: the processor may have released the buffer.
            if (!processor.process(getByte(i))) {
                return i;
            }
        }
        return -1;
    }

    /// Tells if [index, index + length) holds the same bytes as `bytes` from `offset` on.
    public boolean contentEquals(int index, byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return Search.equals(range(index, length), bytes, offset, length);
    }

    // ---- checks: each returns the address of what was asked for ----

    private long at(int index, int size) {
        if (CHECK_ACCESSIBLE && block == null) {
            alive();
        }
        // What checkIndex returns is known not to be negative.
        int inside = CHECK_BOUNDS ? Objects.checkIndex(index, capacity - (size - 1)) : index;
        return Memory.bounded(address) + inside;
    }

    private long settable(int index, int size) {
        long start = at(index, size);
        if (writeLimit < 0) {
            throw new ReadOnlyBufferException();
        }
        return start;
    }

    final long range(int index, int length) {
        if (CHECK_ACCESSIBLE && block == null) {
            alive();
        }
        Objects.checkFromIndexSize(index, length, capacity);
        return Memory.bounded(address + index);
    }

    final long settableRange(int index, int length) {
        long start = range(index, length);
        if (writeLimit < 0) {
            throw new ReadOnlyBufferException();
        }
        return start;
    }

    private long between(int from, int to) {
        if (from > to) {
            throw new IndexOutOfBoundsException(
                    "from: " + from + " (expected: at most to " + to + ")");
        }
        return range(from, to - from);
    }

    final Buffer self() {
        return (Buffer) this;
    }
}
