package io.weft.ffi;

/// Offsets in `struct termios2` of Linux, the argument of [Tty#TCGETS2], as x86-64, aarch64 and
/// riscv64 have it.
public final class Termios2 {
    public static final int SIZE = 44;
    public static final int C_IFLAG = 0;
    public static final int C_OFLAG = 4;
    public static final int C_CFLAG = 8;
    public static final int C_LFLAG = 12;
    public static final int C_LINE = 16;
    public static final int C_CC = 17;
    public static final int C_ISPEED = 36;
    public static final int C_OSPEED = 40;

    private Termios2() {}
}
