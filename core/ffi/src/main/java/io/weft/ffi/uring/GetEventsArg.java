package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_getevents_arg`, the argument of [IoUring#enter] with
/// `IORING_ENTER_EXT_ARG`.
public final class GetEventsArg {
    public static final int SIZE = 24;
    public static final int SIGMASK = 0;
    public static final int SIGMASK_SZ = 8;

    /// From kernel 6.12 (`IORING_FEAT_MIN_TIMEOUT`); 0 before.
    public static final int MIN_WAIT_USEC = 12;

    public static final int TS = 16;

    private GetEventsArg() {}

    /// Writes an argument that waits as long as the [io.weft.ffi.KernelTimespec] at `timespec`
    /// says (0: no limit), with no signal mask.
    public static void put(long at, long timespec) {
        Memory.putLong(at + SIGMASK, 0);
        Memory.putLong(at + SIGMASK_SZ, 0); // and MIN_WAIT_USEC
        Memory.putLong(at + TS, timespec);
    }
}
