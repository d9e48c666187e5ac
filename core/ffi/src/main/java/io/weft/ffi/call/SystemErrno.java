package io.weft.ffi.call;

import java.util.Arrays;

/// Error numbers of a system and those of Linux, which `Errno` has and all code above knows.
///
/// A number that Linux has no name for becomes one that none has, [#UNNAMED] and more.
public final class SystemErrno {
    /// Added to numbers that Linux has no name for.
    public static final int UNNAMED = 1000;

    /// Index: the number of macOS and FreeBSD, which both have from BSD; value: that of Linux.
    private static final int[] BSD = {
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10, // to ECHILD
        35, // EDEADLK
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        25,
        26,
        27,
        28,
        29,
        30,
        31,
        32,
        33,
        34,
        11, // EAGAIN
        115, // EINPROGRESS
        114, // EALREADY
        88, // ENOTSOCK
        89, // EDESTADDRREQ
        90, // EMSGSIZE
        91, // EPROTOTYPE
        92, // ENOPROTOOPT
        93, // EPROTONOSUPPORT
        94, // ESOCKTNOSUPPORT
        95, // ENOTSUP, on FreeBSD EOPNOTSUPP
        96, // EPFNOSUPPORT
        97, // EAFNOSUPPORT
        98, // EADDRINUSE
        99, // EADDRNOTAVAIL
        100, // ENETDOWN
        101, // ENETUNREACH
        102, // ENETRESET
        103, // ECONNABORTED
        104, // ECONNRESET
        105, // ENOBUFS
        106, // EISCONN
        107, // ENOTCONN
        108, // ESHUTDOWN
        109, // ETOOMANYREFS
        110, // ETIMEDOUT
        111, // ECONNREFUSED
        40, // ELOOP
        36, // ENAMETOOLONG
        112, // EHOSTDOWN
        113, // EHOSTUNREACH
        39, // ENOTEMPTY
        UNNAMED + 67, // EPROCLIM
        87, // EUSERS
        122, // EDQUOT
        116, // ESTALE
        66, // EREMOTE
        UNNAMED + 72, // EBADRPC
        UNNAMED + 73, // ERPCMISMATCH
        UNNAMED + 74, // EPROGUNAVAIL
        UNNAMED + 75, // EPROGMISMATCH
        UNNAMED + 76, // EPROCUNAVAIL
        37, // ENOLCK
        38 // ENOSYS
    };

    /// `bsd/sys/errno.h` of xnu, behind those that [#BSD] has.
    public static final SystemErrno MACOS =
            new SystemErrno()
                    .with(84, 75) // EOVERFLOW
                    .with(89, 125) // ECANCELED
                    .with(90, 43) // EIDRM
                    .with(91, 42) // ENOMSG
                    .with(92, 84) // EILSEQ
                    .with(94, 74) // EBADMSG
                    .with(96, 61) // ENODATA
                    .with(100, 71) // EPROTO
                    .with(101, 62) // ETIME
                    .with(102, 95); // EOPNOTSUPP

    /// `sys/sys/errno.h` of FreeBSD, behind those that [#BSD] has.
    public static final SystemErrno FREEBSD =
            new SystemErrno()
                    .with(82, 43) // EIDRM
                    .with(83, 42) // ENOMSG
                    .with(84, 75) // EOVERFLOW
                    .with(85, 125) // ECANCELED
                    .with(86, 84) // EILSEQ
                    .with(89, 74) // EBADMSG
                    .with(92, 71); // EPROTO

    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

    private static final SystemErrno HERE =
            System.getProperty("os.name").startsWith("Mac") ? MACOS : FREEBSD;

    private final int[] linux = new int[128];

    private SystemErrno() {
        Arrays.setAll(linux, number -> number < BSD.length ? BSD[number] : UNNAMED + number);
    }

    private SystemErrno with(int number, int ofLinux) {
        linux[number] = ofLinux;
        return this;
    }

    /// Returns the number of Linux for one of this system.
    public int toLinux(int errno) {
        return errno >= 0 && errno < linux.length ? linux[errno] : UNNAMED + errno;
    }

    /// Returns the number of Linux for what a call left in `errno` here.
    public static int translate(int errno) {
        return LINUX ? errno : HERE.toLinux(errno);
    }

    /// Returns the number that `errno` has here for one of Linux.
    static int here(int ofLinux) {
        for (int number = 1; !LINUX && number < HERE.linux.length; number++) {
            if (HERE.linux[number] == ofLinux) {
                return number;
            }
        }
        return ofLinux;
    }
}
