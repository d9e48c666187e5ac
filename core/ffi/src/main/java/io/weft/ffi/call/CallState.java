package io.weft.ffi.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/// The state of a thread's native calls: the segment in which the linker keeps `errno` before the
/// JVM can change it, and some bytes for arguments that the kernel wants by pointer.
///
/// A call uses the bytes from its first store to its return and calls nothing of ours in between,
/// so one of them a thread is enough. A virtual thread has one of its own: it cannot unmount in a
/// native call.
public final class CallState {
    /// Bytes at [#scratch], aligned to 16.
    public static final int SCRATCH_SIZE = 32;

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO = LAYOUT.byteOffset(PathElement.groupElement("errno"));
    private static final long SCRATCH = roundUp(LAYOUT);
    private static final ThreadLocal<CallState> CURRENT = ThreadLocal.withInitial(CallState::new);

    public final MemorySegment capture;
    public final long scratch;

    private CallState() {
        // SAFETY: an automatic arena frees the memory when this object, and so its thread, is gone;
        // `capture` keeps it alive for users of `scratch`, who hold this object.
        MemorySegment memory = Arena.ofAuto().allocate(SCRATCH + SCRATCH_SIZE, 16);
        capture = memory.asSlice(0, LAYOUT);
        scratch = memory.address() + SCRATCH;
    }

    private static long roundUp(MemoryLayout layout) {
        return (layout.byteSize() + 15) & -16;
    }

    public static CallState current() {
        return CURRENT.get();
    }

    /// Converts the `result` that C returned: the result itself, or -errno for -1, in the numbers
    /// of Linux.
    public int orErrno(int result) {
        return result >= 0 ? result : -SystemErrno.translate(capture.get(JAVA_INT, ERRNO));
    }

    /// As [#orErrno(int)]. No address of user space is negative as a `long`, so this serves `mmap`
    /// too.
    public long orErrno(long result) {
        return result >= 0 ? result : -SystemErrno.translate(capture.get(JAVA_INT, ERRNO));
    }

    /// Sets an errno of Linux, as a function of this system would.
    public static void setErrno(MemorySegment capture, int errno) {
        capture.set(JAVA_INT, ERRNO, SystemErrno.here(errno));
    }
}
