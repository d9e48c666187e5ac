package io.weft.ffi;

import org.jspecify.annotations.Nullable;

/// Calls of [Sockets] and [Libc] on macOS and FreeBSD, where they differ from those of Linux.
final class BsdSockets {
    static final int F_SETFD = 2;
    static final int F_GETFL = 3;
    static final int F_SETFL = 4;
    static final int FD_CLOEXEC = 1;

    static final int SOCK_CLOEXEC = 0x1000_0000;
    static final int SOCK_NONBLOCK = 0x2000_0000;

    static final int SO_NOSIGPIPE_MACOS = 0x1022;
    static final int SO_NOSIGPIPE_FREEBSD = 0x800;
    static final int SOL_SOCKET = 0xffff;
    static final int CONNECT_RESUME_ON_READ_WRITE = 1;
    static final int CONNECT_DATA_IDEMPOTENT = 2;

    /// `struct sa_endpoints`.
    static final int ENDPOINTS_SIZE = 40;

    static final int ENDPOINTS_DESTINATION = 24;
    static final int ENDPOINTS_DESTINATION_LENGTH = 32;

    private static final int TYPE = 0xf;

    private final Abi abi;
    private final BsdCalls calls;
    private final BsdOptions options;

    /// The value 1, for good: a new descriptor would be lost if there were no memory for it.
    private final long one = Memory.allocate(Integer.BYTES, Integer.BYTES);

    BsdSockets(Abi abi, BsdCalls calls) {
        this.abi = abi;
        this.calls = calls;
        this.options = new BsdOptions(abi, calls);
        Memory.putInt(one, 1);
    }

    BsdOptions options() {
        return options;
    }

    /// Returns those of this system; null on Linux.
    static @Nullable BsdSockets here() {
        return Abi.HERE.isLinux() ? null : new BsdSockets(Abi.HERE, new LinkedBsdCalls());
    }

    private boolean isMac() {
        return abi == Abi.MACOS;
    }

    // ---- descriptors ----

    int socket(int domain, int type, int protocol) {
        int flags = type & ~TYPE;
        int made =
                calls.socket(
                        abi.addresses().number(domain),
                        (type & TYPE) | systemFlags(flags),
                        protocol);
        int fd = made < 0 || abi.opensPrepared() ? made : prepared(made, flags);
        if (fd >= 0) {
            quiet(fd);
        }
        return fd;
    }

    int accept4(int fd, long sockaddr, long lengthPointer, int flags) {
        if (abi.opensPrepared()) {
            return calls.accept4(fd, sockaddr, lengthPointer, systemFlags(flags));
        }
        int made = calls.accept(fd, sockaddr, lengthPointer);
        if (made < 0) {
            return made;
        }
        quiet(made);
        return prepared(made, flags);
    }

    private int systemFlags(int flags) {
        if (!abi.opensPrepared()) {
            return 0;
        }
        return ((flags & Sockets.SOCK_CLOEXEC) != 0 ? SOCK_CLOEXEC : 0)
                | ((flags & Sockets.SOCK_NONBLOCK) != 0 ? SOCK_NONBLOCK : 0);
    }

    /// A program that another thread starts at this moment inherits the descriptor: macOS has no
    /// call that would prevent it.
    private int prepared(int fd, int flags) {
        int result = 0;
        if ((flags & Sockets.SOCK_CLOEXEC) != 0) {
            result = calls.fcntl(fd, F_SETFD, FD_CLOEXEC);
        }
        if (result >= 0) {
            result = blocking(fd, (flags & Sockets.SOCK_NONBLOCK) == 0);
        }
        if (result < 0) {
            int _ = calls.close(fd);
            return result;
        }
        return fd;
    }

    /// No `SIGPIPE`, also for calls without `MSG_NOSIGNAL`. The JVM ignores the signal in any case,
    /// so a refusal does no harm.
    private void quiet(int fd) {
        int option = isMac() ? SO_NOSIGPIPE_MACOS : SO_NOSIGPIPE_FREEBSD;
        int _ = calls.setsockopt(fd, SOL_SOCKET, option, one, Integer.BYTES);
    }

    /// As [Libc#blocking].
    int blocking(int fd, boolean blocking) {
        int flags = calls.fcntl(fd, F_GETFL, 0);
        if (flags < 0) {
            return flags;
        }
        int wanted = blocking ? flags & ~abi.nonBlock() : flags | abi.nonBlock();
        return flags == wanted ? 0 : calls.fcntl(fd, F_SETFL, wanted);
    }

    /// As [Sockets#connectFast]; `EINPROGRESS` is for the caller the same as 0.
    int connectFast(int fd, long sockaddr, int length) {
        long endpoints = Memory.allocate(ENDPOINTS_SIZE, 8);
        try {
            Memory.fill(endpoints, ENDPOINTS_SIZE, (byte) 0);
            Memory.putLong(endpoints + ENDPOINTS_DESTINATION, sockaddr);
            Memory.putInt(endpoints + ENDPOINTS_DESTINATION_LENGTH, length);
            return calls.connectx(
                    fd, endpoints, CONNECT_RESUME_ON_READ_WRITE | CONNECT_DATA_IDEMPOTENT);
        } finally {
            Memory.free(endpoints, ENDPOINTS_SIZE);
        }
    }

    boolean connectsFast() {
        return isMac();
    }

    // ---- bytes ----

    int flags(int ofLinux) {
        return abi.flagsHere(ofLinux);
    }

    int flagsOfLinux(int here) {
        return abi.flagsOfLinux(here);
    }

    int recvmsg(int fd, long msghdr, int flags) {
        int result = calls.recvmsg(fd, msghdr, abi.flagsHere(flags));
        if (result >= 0 && (flags & Sockets.MSG_CMSG_CLOEXEC) != 0 && isMac()) {
            closeOnExec(msghdr);
        }
        return result;
    }

    private void closeOnExec(long msghdr) {
        MessageLayout layout = abi.messages();
        for (long at = layout.next(msghdr, 0); at != 0; at = layout.next(msghdr, at)) {
            if (layout.level(at) == SOL_SOCKET && layout.type(at) == Sockets.SCM_RIGHTS) {
                for (int i = 0; i + Integer.BYTES <= layout.length(at); i += Integer.BYTES) {
                    int passed = Memory.getInt(at + layout.data() + i);
                    int _ = calls.fcntl(passed, F_SETFD, FD_CLOEXEC);
                }
            }
        }
    }

    /// One call a message, as FreeBSD's C library does it too; macOS has no such call.
    int sendmmsg(int fd, long headers, int count, int flags) {
        int here = abi.flagsHere(flags);
        for (int i = 0; i < count; i++) {
            long header = headers + (long) i * Sockets.MMSGHDR_SIZE;
            int segment = segment(header);
            int result =
                    segment == 0
                            ? calls.sendmsg(fd, header, here)
                            : sendSegments(fd, header, segment, here);
            if (result < 0) {
                return i == 0 ? result : i;
            }
            Memory.putInt(header + Sockets.MMSGHDR_LENGTH, result);
        }
        return count;
    }

    /// Returns the size of the segments that a message is to be cut into, which kernels other than
    /// Linux do not do; 0 if it is one.
    private int segment(long header) {
        MessageLayout layout = abi.messages();
        long at = layout.next(header, 0);
        return at != 0
                        && layout.level(at) == Sockets.IPPROTO_UDP
                        && layout.type(at) == Sockets.UDP_SEGMENT
                ? Short.toUnsignedInt(Memory.getShort(at + layout.data()))
                : 0;
    }

    /// Sends the segments of a message of one vector. If the kernel takes only some of them, the
    /// rest is lost, as datagrams may be.
    private int sendSegments(int fd, long header, int segment, int flags) {
        long vector = Memory.getLong(header + Sockets.MSGHDR_IOV);
        long base = Memory.getLong(vector + Sockets.IOVEC_BASE);
        long length = Memory.getLong(vector + Sockets.IOVEC_LENGTH);
        long control = Memory.getLong(header + Sockets.MSGHDR_CONTROLLEN);
        int result = 0;
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, 0);
        for (long sent = 0; sent < length && result >= 0; sent += segment) {
            Sockets.putIovec(vector, base + sent, Math.min(segment, length - sent));
            int one = calls.sendmsg(fd, header, flags);
            result = one < 0 && sent == 0 ? one : (int) length;
            if (one < 0) {
                break;
            }
        }
        Sockets.putIovec(vector, base, length);
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, control);
        return result;
    }

    int recvmmsg(int fd, long headers, int count, int flags) {
        for (int i = 0; i < count; i++) {
            long header = headers + (long) i * Sockets.MMSGHDR_SIZE;
            int result = recvmsg(fd, header, flags);
            if (result < 0) {
                return i == 0 ? result : i;
            }
            Memory.putInt(header + Sockets.MMSGHDR_LENGTH, result);
        }
        return count;
    }

    /// As [Libc#sendfile]. Both systems may fail with `EAGAIN` after a part was sent, which counts.
    long sendfile(int out, int in, long offsetPointer, long length) {
        long at = Memory.allocate(Long.BYTES, Long.BYTES);
        try {
            Memory.putLong(at, isMac() ? length : 0);
            long offset = Memory.getLong(offsetPointer);
            int result =
                    isMac()
                            ? calls.sendfileOfMac(in, out, offset, at)
                            : calls.sendfileOfFreeBsd(in, out, offset, length, at);
            boolean partly = result == -Errno.EAGAIN || result == -Errno.EINTR;
            long sent = result >= 0 || partly ? Memory.getLong(at) : 0;
            if (result < 0 && sent <= 0) {
                return result;
            }
            Memory.putLong(offsetPointer, offset + sent);
            return sent;
        } finally {
            Memory.free(at, Long.BYTES);
        }
    }

    /// Returns this system's flags of `open` for those of Linux that engines use.
    int openFlags(int ofLinux) {
        return (ofLinux & 3) // O_RDONLY, O_WRONLY, O_RDWR
                | ((ofLinux & Libc.O_CLOEXEC) != 0 ? abi.closeOnExec() : 0)
                | ((ofLinux & Libc.O_NONBLOCK) != 0 ? abi.nonBlock() : 0);
    }
}
