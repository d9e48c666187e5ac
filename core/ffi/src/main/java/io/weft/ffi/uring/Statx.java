package io.weft.ffi.uring;

/// Offsets in `struct statx` (`statx(2)`), and what to ask for.
public final class Statx {
    public static final int SIZE = 256;

    public static final int STX_MASK = 0;
    public static final int STX_SIZE = 40;

    /// For [#STX_MASK]: [#STX_SIZE] is wanted.
    public static final int STATX_SIZE = 0x200;

    private Statx() {}
}
