package io.weft.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Raw off-heap memory, addressed by `long`.
///
/// Every access goes through one `static final` segment, so that the JIT folds its bounds and
/// liveness checks away. **Nothing here checks an address**: callers own the check. Buffers do it
/// once an access; engines compute addresses from structures that they allocated themselves.
///
/// If native access is denied, the space is not all memory but one reservation of
/// `io.weft.memory.fallback` bytes (default 64 MiB), and addresses are offsets into it. They mean
/// nothing to the kernel then, which is right: without native access nothing but NIO talks to the
/// kernel.
public final class Memory {
    private static final ByteOrder BIG = ByteOrder.BIG_ENDIAN;
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort SHORT_BE = SHORT.withOrder(BIG);
    private static final ValueLayout.OfInt INT_BE = INT.withOrder(BIG);
    private static final ValueLayout.OfLong LONG_BE = LONG.withOrder(BIG);
    private static final ValueLayout.OfShort SHORT_LE = SHORT.withOrder(LITTLE);
    private static final ValueLayout.OfInt INT_LE = INT.withOrder(LITTLE);
    private static final ValueLayout.OfLong LONG_LE = LONG.withOrder(LITTLE);
    private static final VarHandle SHORT_ORDERED = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle INT_ORDERED = ValueLayout.JAVA_INT.varHandle();

    private static final long ADDRESSES = (1L << 56) - 1;

    private static final MemorySegment SPACE;

    static {
        MemorySegment all = NativeAccess.allMemory();
        SPACE = all != null ? all : reserveWithoutNativeAccess();
    }

    private Memory() {}

    /// `address`, in a form in which the JIT knows its range: then the check that the all-memory
    /// segment makes of each access folds away, in loops too. No processor has more than 56 bits of
    /// user address space (x86-64 with five levels of page tables; others have less), so nothing is
    /// cut off.
    public static long bounded(long address) {
        return address & ADDRESSES;
    }

    private static MemorySegment reserveWithoutNativeAccess() {
        long size = Long.getLong("io.weft.memory.fallback", 64L << 20);
        return Arena.global().allocate(size, 4096);
    }

    /// Bytes that can be reserved at all: unbounded (`Long.MAX_VALUE`) with native access, else the
    /// fallback space.
    public static long spaceSize() {
        return SPACE.byteSize();
    }

    // ---- plain access, native order ----

    public static byte getByte(long address) {
        return SPACE.get(BYTE, address);
    }

    public static void putByte(long address, byte value) {
        SPACE.set(BYTE, address, value);
    }

    public static short getShort(long address) {
        return SPACE.get(SHORT, address);
    }

    public static void putShort(long address, short value) {
        SPACE.set(SHORT, address, value);
    }

    public static int getInt(long address) {
        return SPACE.get(INT, address);
    }

    public static void putInt(long address, int value) {
        SPACE.set(INT, address, value);
    }

    public static long getLong(long address) {
        return SPACE.get(LONG, address);
    }

    public static void putLong(long address, long value) {
        SPACE.set(LONG, address, value);
    }

    // ---- plain access, explicit order ----

    public static short getShortBE(long address) {
        return SPACE.get(SHORT_BE, address);
    }

    public static void putShortBE(long address, short value) {
        SPACE.set(SHORT_BE, address, value);
    }

    public static int getIntBE(long address) {
        return SPACE.get(INT_BE, address);
    }

    public static void putIntBE(long address, int value) {
        SPACE.set(INT_BE, address, value);
    }

    public static long getLongBE(long address) {
        return SPACE.get(LONG_BE, address);
    }

    public static void putLongBE(long address, long value) {
        SPACE.set(LONG_BE, address, value);
    }

    public static short getShortLE(long address) {
        return SPACE.get(SHORT_LE, address);
    }

    public static void putShortLE(long address, short value) {
        SPACE.set(SHORT_LE, address, value);
    }

    public static int getIntLE(long address) {
        return SPACE.get(INT_LE, address);
    }

    public static void putIntLE(long address, int value) {
        SPACE.set(INT_LE, address, value);
    }

    public static long getLongLE(long address) {
        return SPACE.get(LONG_LE, address);
    }

    public static void putLongLE(long address, long value) {
        SPACE.set(LONG_LE, address, value);
    }

    // ---- ordered access, for memory shared with the kernel: `address` must be aligned ----

    public static int getIntAcquire(long address) {
        return (int) INT_ORDERED.getAcquire(SPACE, address);
    }

    public static int getIntVolatile(long address) {
        return (int) INT_ORDERED.getVolatile(SPACE, address);
    }

    public static void putIntRelease(long address, int value) {
        INT_ORDERED.setRelease(SPACE, address, value);
    }

    public static void putShortRelease(long address, short value) {
        SHORT_ORDERED.setRelease(SPACE, address, value);
    }

    // ---- bulk ----

    /// Copies like `memmove`: the ranges may overlap.
    public static void copy(long from, long to, long length) {
        MemorySegment.copy(SPACE, from, SPACE, to, length);
    }

    public static void copy(long from, byte[] to, int offset, int length) {
        MemorySegment.copy(SPACE, BYTE, from, to, offset, length);
    }

    public static void copy(byte[] from, int offset, long to, int length) {
        MemorySegment.copy(from, offset, SPACE, BYTE, to, length);
    }

    /// Copies what remains of `from`, which does not move.
    public static void copy(ByteBuffer from, long to) {
        MemorySegment.copy(MemorySegment.ofBuffer(from), 0, SPACE, to, from.remaining());
    }

    /// Fills what remains of `to`, which does not move.
    public static void copy(long from, ByteBuffer to) {
        MemorySegment.copy(SPACE, from, MemorySegment.ofBuffer(to), 0, to.remaining());
    }

    public static void fill(long address, long length, byte value) {
        SPACE.asSlice(address, length).fill(value);
    }

    /// The offset of the first byte in which the two ranges differ, or -1.
    public static long mismatch(long a, long b, long length) {
        return MemorySegment.mismatch(SPACE, a, a + length, SPACE, b, b + length);
    }

    /// A direct `ByteBuffer` over the range, in big-endian order. It does not own the memory: it
    /// must not be used after the range has been freed.
    public static ByteBuffer byteBuffer(long address, int length) {
        return SPACE.asSlice(address, length).asByteBuffer();
    }

    // ---- reservation ----

    /// Reserves `size` bytes at a multiple of `alignment` (a power of two). The content is
    /// undefined.
    ///
    /// @throws OutOfMemoryError when the system or the fallback space has no room
    public static long allocate(long size, long alignment) {
        return NativeAccess.granted()
                ? Heap.allocate(size, alignment)
                : FallbackHeap.allocate(SPACE, size, alignment);
    }

    /// Returns what [#allocate] reserved; `size` is the size asked for then.
    public static void free(long address, long size) {
        if (NativeAccess.granted()) {
            Heap.free(address);
        } else {
            FallbackHeap.free(address, size);
        }
    }
}
