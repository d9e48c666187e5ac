package io.weft.ffi;

import io.weft.ffi.call.SystemErrno;

/// Options of sockets on macOS and FreeBSD, by the numbers that they have on Linux.
final class BsdOptions {
    static final int SO_ACCEPTFILTER = 0x1000;

    /// `struct accept_filter_arg`: the filter's name, and its argument.
    static final int ACCEPT_FILTER_SIZE = 256;

    static final int ACCEPT_FILTER_NAME = 16;

    static final int SOL_LOCAL = 0;
    static final int LOCAL_PEERCRED = 1;
    static final int LOCAL_PEERPID = 2;

    /// `struct xucred`; that of macOS ends before the process.
    static final int XUCRED_SIZE = 88;

    static final int XUCRED_SIZE_MACOS = 76;
    static final int XUCRED_UID = 4;
    static final int XUCRED_GROUPS = 12;
    static final int XUCRED_PID = 80;

    private final Abi abi;
    private final BsdCalls calls;

    BsdOptions(Abi abi, BsdCalls calls) {
        this.abi = abi;
        this.calls = calls;
    }

    private boolean isMac() {
        return abi == Abi.MACOS;
    }

    boolean hasOption(int level, int name) {
        return abi.option(level, name) != null || isMadeUp(level, name);
    }

    /// Options of Linux that are answered by other means here.
    private static boolean isMadeUp(int level, int name) {
        return level == Sockets.SOL_SOCKET
                && (name == Sockets.SO_DOMAIN
                        || name == Sockets.SO_PROTOCOL
                        || name == Sockets.SO_PEERCRED);
    }

    int setsockopt(int fd, int level, int name, long value, int length) {
        Abi.Row row = abi.option(level, name);
        return row == null
                ? -Errno.ENOPROTOOPT
                : calls.setsockopt(fd, row.hereLevel(), row.here(), value, length);
    }

    int getsockopt(int fd, int level, int name, long value, long lengthPointer) {
        if (isMadeUp(level, name)) {
            return madeUp(fd, name, value, lengthPointer);
        }
        Abi.Row row = abi.option(level, name);
        if (row == null) {
            return -Errno.ENOPROTOOPT;
        }
        int result = calls.getsockopt(fd, row.hereLevel(), row.here(), value, lengthPointer);
        if (result >= 0 && level == Sockets.SOL_SOCKET && name == Sockets.SO_ERROR) {
            Memory.putInt(value, toLinux(Memory.getInt(value)));
        } else if (result >= 0 && name == Sockets.SO_ACCEPTCONN && level == Sockets.SOL_SOCKET) {
            Memory.putInt(value, Memory.getInt(value) == 0 ? 0 : 1); // the flag itself, on BSD
        }
        return result;
    }

    private int toLinux(int errno) {
        return (isMac() ? SystemErrno.MACOS : SystemErrno.FREEBSD).toLinux(errno);
    }

    private int madeUp(int fd, int name, long value, long lengthPointer) {
        if (name == Sockets.SO_PEERCRED) {
            return credentials(fd, value, lengthPointer);
        }
        int family = family(fd);
        int result = family;
        if (family >= 0 && name == Sockets.SO_PROTOCOL) {
            result = protocol(fd, family);
        }
        if (result < 0) {
            return result;
        }
        Memory.putInt(value, result);
        Memory.putInt(lengthPointer, Integer.BYTES);
        return 0;
    }

    private int family(int fd) {
        long at = Memory.allocate(SockAddr.SIZE + 8, 8);
        try {
            Memory.fill(at, SockAddr.SIZE, (byte) 0);
            Memory.putInt(at + SockAddr.SIZE, SockAddr.SIZE);
            int result = calls.getsockname(fd, at, at + SockAddr.SIZE);
            return result < 0 ? result : abi.addresses().family(at);
        } finally {
            Memory.free(at, SockAddr.SIZE + 8);
        }
    }

    private int protocol(int fd, int family) {
        if (family != Sockets.AF_INET && family != Sockets.AF_INET6) {
            return 0;
        }
        long at = Memory.allocate(8, 8);
        try {
            Memory.putLong(at, 0);
            Memory.putInt(at + 4, Integer.BYTES);
            int result = getsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE, at, at + 4);
            if (result < 0) {
                return result;
            }
            return switch (Memory.getInt(at)) {
                case Sockets.SOCK_STREAM -> Sockets.IPPROTO_TCP;
                case Sockets.SOCK_DGRAM -> Sockets.IPPROTO_UDP;
                default -> 0;
            };
        } finally {
            Memory.free(at, 8);
        }
    }

    /// Fills in a `struct ucred` of Linux. The user is the effective one, and the group the first
    /// of the peer's, which is its effective one.
    private int credentials(int fd, long value, long lengthPointer) {
        long at = Memory.allocate(XUCRED_SIZE + 8, 8);
        try {
            long length = at + XUCRED_SIZE;
            Memory.fill(at, XUCRED_SIZE, (byte) 0);
            Memory.putInt(length, isMac() ? XUCRED_SIZE_MACOS : XUCRED_SIZE);
            int result = calls.getsockopt(fd, SOL_LOCAL, LOCAL_PEERCRED, at, length);
            if (result >= 0 && isMac()) {
                Memory.putInt(length, Integer.BYTES);
                result = calls.getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, at + XUCRED_PID, length);
            }
            if (result < 0) {
                return result;
            }
            Memory.putInt(value + Ucred.PID, Memory.getInt(at + XUCRED_PID));
            Memory.putInt(value + Ucred.UID, Memory.getInt(at + XUCRED_UID));
            Memory.putInt(value + Ucred.GID, Memory.getInt(at + XUCRED_GROUPS));
            Memory.putInt(lengthPointer, Ucred.SIZE);
            return 0;
        } finally {
            Memory.free(at, XUCRED_SIZE + 8);
        }
    }

    /// As [Sockets#acceptFilter].
    int acceptFilter(int fd, byte[] filter) {
        if (isMac()) {
            return -Errno.ENOPROTOOPT;
        }
        if (filter.length >= ACCEPT_FILTER_NAME) {
            return -Errno.EINVAL;
        }
        long at = Memory.allocate(ACCEPT_FILTER_SIZE, 8);
        try {
            Memory.fill(at, ACCEPT_FILTER_SIZE, (byte) 0);
            Memory.copy(filter, 0, at, filter.length);
            return calls.setsockopt(
                    fd, BsdSockets.SOL_SOCKET, SO_ACCEPTFILTER, at, ACCEPT_FILTER_SIZE);
        } finally {
            Memory.free(at, ACCEPT_FILTER_SIZE);
        }
    }
}
