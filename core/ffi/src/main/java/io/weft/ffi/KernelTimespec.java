package io.weft.ffi;

/// `struct __kernel_timespec`: seconds and nanoseconds, each 64 bits.
public final class KernelTimespec {
    public static final int SIZE = 16;
    public static final int TV_SEC = 0;
    public static final int TV_NSEC = 8;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private KernelTimespec() {}

    /// Writes a time of `nanos` (0 or more) at `at`.
    public static void put(long at, long nanos) {
        Memory.putLong(at + TV_SEC, nanos / NANOS_PER_SECOND);
        Memory.putLong(at + TV_NSEC, nanos % NANOS_PER_SECOND);
    }
}
