package io.weft.buffer;

import io.weft.ffi.Memory;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/// The half of [CompositeBuffer] that knows no offsets: checked access by index, to bytes 0 to
/// capacity.
///
/// The component that was used last is a window: an index inside it is one comparison with its
/// start and one with its end away from the memory. Everything else goes the long way, also when
/// the composite was released: its window is empty.
abstract sealed class CompositeRegion permits CompositeOffsets {
    final Components components = new Components();
    boolean open = true;
    int capacity;

    /// True if a component may be read-only.
    boolean someReadOnly;

    /// The number of times that components have come, gone or moved.
    private int changes;

    private int windowStart;
    private int windowEnd;
    private int windowSlot;

    /// Address of index 0, were all memory like the window's.
    private long base;

    /// Number of bytes that the components have room for.
    public int capacity() {
        return capacity;
    }

    // ---- values by index; big-endian unless the name ends in LE ----

    public byte getByte(int index) {
        if (index < windowStart || index >= windowEnd) {
            enter(index, 1);
        }
        return Memory.getByte(base + index);
    }

    public CompositeBuffer setByte(int index, int value) {
        if (index < windowStart || index >= windowEnd) {
            enter(index, 1);
        }
        if (someReadOnly) {
            requireWritable(index, 1);
        }
        Memory.putByte(base + index, (byte) value);
        return self();
    }

    public int getUnsignedByte(int index) {
        return getByte(index) & 0xFF;
    }

    public boolean getBoolean(int index) {
        return getByte(index) != 0;
    }

    public CompositeBuffer setBoolean(int index, boolean value) {
        return setByte(index, value ? 1 : 0);
    }

    public short getShort(int index) {
        return within(index, 2) ? Memory.getShortBE(base + index) : (short) across(index, 2);
    }

    public CompositeBuffer setShort(int index, int value) {
        if (writableWithin(index, 2)) {
            Memory.putShortBE(base + index, (short) value);
        } else {
            putAcross(index, 2, value);
        }
        return self();
    }

    public short getShortLE(int index) {
        return within(index, 2)
                ? Memory.getShortLE(base + index)
                : Short.reverseBytes((short) across(index, 2));
    }

    public CompositeBuffer setShortLE(int index, int value) {
        if (writableWithin(index, 2)) {
            Memory.putShortLE(base + index, (short) value);
        } else {
            putAcross(index, 2, Short.reverseBytes((short) value));
        }
        return self();
    }

    public int getUnsignedShort(int index) {
        return getShort(index) & 0xFFFF;
    }

    public int getUnsignedShortLE(int index) {
        return getShortLE(index) & 0xFFFF;
    }

    public int getMedium(int index) {
        return within(index, 3) ? Medium.getBE(base + index) : (int) across(index, 3) << 8 >> 8;
    }

    public CompositeBuffer setMedium(int index, int value) {
        if (writableWithin(index, 3)) {
            Medium.putBE(base + index, value);
        } else {
            putAcross(index, 3, value);
        }
        return self();
    }

    public int getMediumLE(int index) {
        return within(index, 3)
                ? Medium.getLE(base + index)
                : Integer.reverseBytes((int) across(index, 3)) >> 8;
    }

    public CompositeBuffer setMediumLE(int index, int value) {
        if (writableWithin(index, 3)) {
            Medium.putLE(base + index, value);
        } else {
            putAcross(index, 3, Integer.reverseBytes(value) >>> 8);
        }
        return self();
    }

    public int getUnsignedMedium(int index) {
        return getMedium(index) & 0xFFFFFF;
    }

    public int getUnsignedMediumLE(int index) {
        return getMediumLE(index) & 0xFFFFFF;
    }

    public int getInt(int index) {
        return within(index, 4) ? Memory.getIntBE(base + index) : (int) across(index, 4);
    }

    public CompositeBuffer setInt(int index, int value) {
        if (writableWithin(index, 4)) {
            Memory.putIntBE(base + index, value);
        } else {
            putAcross(index, 4, value);
        }
        return self();
    }

    public int getIntLE(int index) {
        return within(index, 4)
                ? Memory.getIntLE(base + index)
                : Integer.reverseBytes((int) across(index, 4));
    }

    public CompositeBuffer setIntLE(int index, int value) {
        if (writableWithin(index, 4)) {
            Memory.putIntLE(base + index, value);
        } else {
            putAcross(index, 4, Integer.reverseBytes(value));
        }
        return self();
    }

    public long getUnsignedInt(int index) {
        return getInt(index) & 0xFFFF_FFFFL;
    }

    public long getUnsignedIntLE(int index) {
        return getIntLE(index) & 0xFFFF_FFFFL;
    }

    public long getLong(int index) {
        return within(index, 8) ? Memory.getLongBE(base + index) : across(index, 8);
    }

    public CompositeBuffer setLong(int index, long value) {
        if (writableWithin(index, 8)) {
            Memory.putLongBE(base + index, value);
        } else {
            putAcross(index, 8, value);
        }
        return self();
    }

    public long getLongLE(int index) {
        return within(index, 8)
                ? Memory.getLongLE(base + index)
                : Long.reverseBytes(across(index, 8));
    }

    public CompositeBuffer setLongLE(int index, long value) {
        if (writableWithin(index, 8)) {
            Memory.putLongLE(base + index, value);
        } else {
            putAcross(index, 8, Long.reverseBytes(value));
        }
        return self();
    }

    public float getFloat(int index) {
        return Float.intBitsToFloat(getInt(index));
    }

    public CompositeBuffer setFloat(int index, float value) {
        return setInt(index, Float.floatToRawIntBits(value));
    }

    public float getFloatLE(int index) {
        return Float.intBitsToFloat(getIntLE(index));
    }

    public CompositeBuffer setFloatLE(int index, float value) {
        return setIntLE(index, Float.floatToRawIntBits(value));
    }

    public double getDouble(int index) {
        return Double.longBitsToDouble(getLong(index));
    }

    public CompositeBuffer setDouble(int index, double value) {
        return setLong(index, Double.doubleToRawLongBits(value));
    }

    public double getDoubleLE(int index) {
        return Double.longBitsToDouble(getLongLE(index));
    }

    public CompositeBuffer setDoubleLE(int index, double value) {
        return setLongLE(index, Double.doubleToRawLongBits(value));
    }

    // ---- bytes by index ----

    public CompositeBuffer getBytes(int index, byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        check(index, length);
        for (int done = 0; done < length; ) {
            int n = Math.min(length - done, reach(index + done));
            Memory.copy(base + index + done, to, offset + done, n);
            done += n;
        }
        return self();
    }

    public CompositeBuffer setBytes(int index, byte[] from, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, from.length);
        requireWritable(index, length);
        for (int done = 0; done < length; ) {
            int n = Math.min(length - done, reach(index + done));
            Memory.copy(from, offset + done, base + index + done, n);
            done += n;
        }
        return self();
    }

    public CompositeBuffer getBytes(int index, Buffer to, int toIndex, int length) {
        check(index, length);
        long target = to.settableRange(toIndex, length);
        for (int done = 0; done < length; ) {
            int n = Math.min(length - done, reach(index + done));
            Memory.copy(base + index + done, target + done, n);
            done += n;
        }
        return self();
    }

    public CompositeBuffer setBytes(int index, Buffer from, int fromIndex, int length) {
        requireWritable(index, length);
        long source = from.range(fromIndex, length);
        for (int done = 0; done < length; ) {
            int n = Math.min(length - done, reach(index + done));
            Memory.copy(source + done, base + index + done, n);
            done += n;
        }
        return self();
    }

    // ---- searching by index ----

    /// Index of the first `value` in [from, to), or -1.
    public int indexOf(byte value, int from, int to) {
        checkBetween(from, to);
        for (int at = from; at < to; ) {
            int n = Math.min(to - at, reach(at));
            int found = Search.indexOf(base + at, n, value, at);
            if (found >= 0) {
                return found;
            }
            at += n;
        }
        return -1;
    }

    /// Shows the bytes in [from, to) to `processor` until it returns false.
    ///
    /// @return the index of the byte for which it returned false, or -1
    public int forEachByte(int from, int to, ByteProcessor processor) {
        checkBetween(from, to);
        int before = changes;
        for (int at = from; at < to; ) {
            int n = Math.min(to - at, reach(at));
            long start = Memory.bounded(base + at);
            for (int i = 0; i < n; i++) {
                // Looked at each time: the processor may have released the composite or components.
                if (changes != before) {
                    return forEachByteChecked(at + i, to, processor);
                }
                if (!processor.process(Memory.getByte(start + i))) {
                    return at + i;
                }
            }
            at += n;
        }
        return -1;
    }

    private int forEachByteChecked(int from, int to, ByteProcessor processor) {
        for (int i = from; i < to; i++) {
            if (!processor.process(getByte(i))) {
                return i;
            }
        }
        return -1;
    }

    // ---- checks ----

    final void alive() {
        if (!open) {
            throw new IllegalReferenceCountException(0, "at least 1");
        }
    }

    final void check(int index, int length) {
        alive();
        Objects.checkFromIndexSize(index, length, capacity);
    }

    private void checkBetween(int from, int to) {
        if (from > to) {
            throw new IndexOutOfBoundsException(
                    "from: " + from + " (expected: at most to " + to + ")");
        }
        check(from, to - from);
    }

    final void requireWritable(int index, int length) {
        check(index, length);
        if (someReadOnly) {
            for (int at = index; at < index + length; at += reach(at)) {
                reach(at);
                if (component().isReadOnly()) {
                    throw new ReadOnlyBufferException();
                }
            }
        }
    }

    // ---- the window ----

    /// Tells if [index, index + size) is in one component, which is the window then.
    private boolean within(int index, int size) {
        return (index >= windowStart && index <= windowEnd - size) || enter(index, size);
    }

    private boolean writableWithin(int index, int size) {
        boolean within = within(index, size);
        if (someReadOnly) {
            requireWritable(index, size);
            return within(index, size);
        }
        return within;
    }

    private boolean enter(int index, int size) {
        check(index, size);
        // Access in order comes from the end of a window, and only there is the next slot's start.
        int slot = index == windowEnd && index > 0 ? windowSlot + 1 : components.find(index);
        windowSlot = slot;
        windowStart = components.start(slot);
        windowEnd = components.end(slot);
        base = components.base(slot);
        return index <= windowEnd - size;
    }

    /// Moves the window to `index`, which is inside, and returns how many bytes there are from
    /// there to its end.
    final int reach(int index) {
        if (index < windowStart || index >= windowEnd) {
            enter(index, 1);
        }
        return windowEnd - index;
    }

    /// The component under the window.
    final Buffer component() {
        return components.buffer(windowSlot);
    }

    /// Returns the index of this composite's byte `index` in the component under the window.
    final int indexInComponent(int index) {
        return index - windowStart + component().readOffset();
    }

    /// Components have come, gone or moved.
    final void changed() {
        changes++;
        components.changed();
        capacity = components.length();
        windowStart = 0;
        windowEnd = 0;
    }

    // ---- values across components, big-endian in the low bytes ----

    private long across(int index, int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = (value << 8) | (getByte(index + i) & 0xFF);
        }
        return value;
    }

    private void putAcross(int index, int size, long value) {
        for (int i = size - 1; i >= 0; i--) {
            reach(index + i);
            Memory.putByte(base + index + i, (byte) value);
            value >>= 8;
        }
    }

    final CompositeBuffer self() {
        return (CompositeBuffer) this;
    }
}
