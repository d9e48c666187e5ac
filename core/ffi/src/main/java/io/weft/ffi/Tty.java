package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/// Terminals and serial ports of Linux:
/// [ioctl_tty(2)](https://man7.org/linux/man-pages/man2/ioctl_tty.2.html) with the flags of
/// `struct termios2`. Errors, threads and addresses: as [Libc] says.
public final class Tty {
    public static final long TCGETS2 = 0x802C_542AL;

    /// At once; [#TCSETSW2] when what was written has been sent.
    public static final long TCSETS2 = 0x402C_542BL;

    public static final long TCSETSW2 = 0x402C_542CL;
    public static final long TCFLSH = 0x540B;
    public static final long TIOCEXCL = 0x540C;
    public static final long TIOCNXCL = 0x540D;
    public static final long TIOCOUTQ = 0x5411;
    public static final long TIOCMGET = 0x5415;
    public static final long TIOCMBIS = 0x5416;
    public static final long TIOCMBIC = 0x5417;
    public static final long TIOCMSET = 0x5418;
    public static final long FIONREAD = 0x541B;
    public static final long TIOCSBRK = 0x5427;
    public static final long TIOCCBRK = 0x5428;

    /// Of a pseudo-terminal's master: the number of its other side, and the lock on that.
    public static final long TIOCGPTN = 0x8004_5430L;

    public static final long TIOCSPTLCK = 0x4004_5431L;

    public static final int TCIFLUSH = 0;
    public static final int TCOFLUSH = 1;
    public static final int TCIOFLUSH = 2;

    public static final int TIOCM_DTR = 0x2;
    public static final int TIOCM_RTS = 0x4;
    public static final int TIOCM_CTS = 0x20;
    public static final int TIOCM_CAR = 0x40;
    public static final int TIOCM_RNG = 0x80;
    public static final int TIOCM_DSR = 0x100;

    // Of c_iflag.
    public static final int IGNBRK = 0x1;
    public static final int BRKINT = 0x2;
    public static final int IGNPAR = 0x4;
    public static final int PARMRK = 0x8;
    public static final int INPCK = 0x10;
    public static final int ISTRIP = 0x20;
    public static final int INLCR = 0x40;
    public static final int IGNCR = 0x80;
    public static final int ICRNL = 0x100;
    public static final int IXON = 0x400;
    public static final int IXANY = 0x800;
    public static final int IXOFF = 0x1000;

    // Of c_cflag.
    public static final int CBAUD = 0x100F;
    public static final int BOTHER = 0x1000;
    public static final int IBSHIFT = 16;
    public static final int CSIZE = 0x30;
    public static final int CS5 = 0;
    public static final int CS6 = 0x10;
    public static final int CS7 = 0x20;
    public static final int CS8 = 0x30;
    public static final int CSTOPB = 0x40;
    public static final int CREAD = 0x80;
    public static final int PARENB = 0x100;
    public static final int PARODD = 0x200;
    public static final int HUPCL = 0x400;
    public static final int CLOCAL = 0x800;
    public static final int CMSPAR = 0x4000_0000;
    public static final int CRTSCTS = 0x8000_0000;

    // Of c_cc.
    public static final int VTIME = 5;
    public static final int VMIN = 6;
    public static final int VSTART = 8;
    public static final int VSTOP = 9;

    private static final MethodHandle IOCTL =
            Downcall.link(
                    "ioctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.firstVariadicArg(2));

    private Tty() {}

    /// `ioctl(2)`.
    ///
    /// @param argument a number or an address, as the request wants it
    public static int ioctl(int fd, long request, long argument) {
        return Downcall.call(IOCTL, fd, request, argument);
    }

    /// The `int` that a request such as `TIOCOUTQ` tells, or -errno. The value comes as an unsigned
    /// number, so that none looks like an error.
    public static long ask(int fd, long request) {
        long at = CallState.current().scratch; // alive: the thread holds its CallState
        Memory.putInt(at, 0);
        int error = ioctl(fd, request, at);
        return error < 0 ? error : Integer.toUnsignedLong(Memory.getInt(at));
    }

    /// Passes an `int` by address, as `TIOCMBIS` wants it.
    public static int tell(int fd, long request, int value) {
        long at = CallState.current().scratch;
        Memory.putInt(at, value);
        return ioctl(fd, request, at);
    }
}
