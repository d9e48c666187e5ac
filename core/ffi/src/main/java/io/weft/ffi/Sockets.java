package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Socket calls of the C library on Linux, each as its man page has it. Errors, threads and
/// addresses: as [Libc] says.
///
/// On macOS and FreeBSD the same calls take the same numbers and translate them; an option that a
/// system lacks fails with `ENOPROTOOPT`. Structures have the layout of the system: constants here
/// are those of Linux, and methods write and read the layout of either.
///
/// Descriptors should be opened with `SOCK_NONBLOCK | SOCK_CLOEXEC`, sends made with
/// `MSG_NOSIGNAL`. Structures that calls take by address are written by [SockAddr], [#putIovec] and
/// [#putMsghdr].
public final class Sockets {
    public static final int AF_UNSPEC = 0;
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_SEQPACKET = 5;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_TYPE = 3;
    public static final int SO_ERROR = 4;
    public static final int SO_BROADCAST = 6;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_LINGER = 13;
    public static final int SO_PRIORITY = 12;
    public static final int SO_REUSEPORT = 15;
    public static final int SO_PASSCRED = 16;
    public static final int SO_PEERCRED = 17;
    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_MARK = 36;
    public static final int SO_PROTOCOL = 38;
    public static final int SO_DOMAIN = 39;
    public static final int SO_BUSY_POLL = 46;
    public static final int SO_INCOMING_CPU = 49;
    public static final int SO_ZEROCOPY = 60;

    public static final int IPPROTO_IP = 0;
    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    public static final int IP_FREEBIND = 15;
    public static final int IP_TRANSPARENT = 19;
    public static final int IP_RECVORIGDSTADDR = 20;
    public static final int IP_BIND_ADDRESS_NO_PORT = 24;
    public static final int IP_MULTICAST_IF = 32;
    public static final int IP_MULTICAST_TTL = 33;
    public static final int IP_MULTICAST_LOOP = 34;
    public static final int IP_MULTICAST_ALL = 49;
    public static final int MCAST_JOIN_GROUP = 42;
    public static final int MCAST_BLOCK_SOURCE = 43;
    public static final int MCAST_UNBLOCK_SOURCE = 44;
    public static final int MCAST_LEAVE_GROUP = 45;
    public static final int MCAST_JOIN_SOURCE_GROUP = 46;
    public static final int MCAST_LEAVE_SOURCE_GROUP = 47;

    public static final int IPPROTO_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_CORK = 3;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_KEEPCNT = 6;
    public static final int TCP_DEFER_ACCEPT = 9;
    public static final int TCP_INFO = 11;
    public static final int TCP_QUICKACK = 12;
    public static final int TCP_CONGESTION = 13;
    public static final int TCP_MD5SIG = 14;
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int TCP_FASTOPEN = 23;
    public static final int TCP_NOTSENT_LOWAT = 25;
    public static final int TCP_FASTOPEN_CONNECT = 30;

    public static final int IPPROTO_UDP = 17;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;

    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_UNICAST_HOPS = 16;
    public static final int IPV6_MULTICAST_IF = 17;
    public static final int IPV6_MULTICAST_HOPS = 18;
    public static final int IPV6_MULTICAST_LOOP = 19;
    public static final int IPV6_V6ONLY = 26;
    public static final int IPV6_FREEBIND = 78;
    public static final int IPV6_RECVORIGDSTADDR = 74;
    public static final int IPV6_TRANSPARENT = 75;
    public static final int IPV6_TCLASS = 67;

    public static final int SCM_RIGHTS = 1;

    public static final int MSG_PEEK = 2;
    public static final int MSG_CTRUNC = 8;
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_WAITALL = 0x100;
    public static final int MSG_ERRQUEUE = 0x2000;
    public static final int MSG_WAITFORONE = 0x10000;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_MORE = 0x8000;
    public static final int MSG_ZEROCOPY = 0x4000000;
    public static final int MSG_CMSG_CLOEXEC = 0x40000000;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    /// The size of `struct iovec`, and its members' offsets.
    public static final int IOVEC_SIZE = 16;

    public static final int IOVEC_BASE = 0;
    public static final int IOVEC_LENGTH = 8;

    /// The size of `struct msghdr`, and its members' offsets.
    public static final int MSGHDR_SIZE = 56;

    public static final int MSGHDR_NAME = 0;
    public static final int MSGHDR_NAMELEN = 8;
    public static final int MSGHDR_IOV = 16;
    public static final int MSGHDR_IOVLEN = 24;
    public static final int MSGHDR_CONTROL = 32;
    public static final int MSGHDR_CONTROLLEN = 40;
    public static final int MSGHDR_FLAGS = 48;

    /// The size of `struct mmsghdr`, whose first member is a `struct msghdr`, and the offset of the
    /// other.
    public static final int MMSGHDR_SIZE = 64;

    public static final int MMSGHDR_LENGTH = 56;

    /// The size of `struct cmsghdr`, and its members' offsets; the data follow.
    public static final int CMSGHDR_SIZE = 16;

    public static final int CMSGHDR_LENGTH = 0;
    public static final int CMSGHDR_LEVEL = 8;
    public static final int CMSGHDR_TYPE = 12;

    // Functions of one shape share a descriptor, and the linker shares their code.
    private static final FunctionDescriptor INT_INT =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT);
    private static final FunctionDescriptor ADDRESS_AND_LENGTH =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final FunctionDescriptor ADDRESS_AND_POINTER =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor BYTES =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final FunctionDescriptor MESSAGE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);

    private static final MethodHandle SOCKET =
            Downcall.link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND = Downcall.link("bind", ADDRESS_AND_LENGTH);
    private static final MethodHandle LISTEN = Downcall.link("listen", INT_INT);
    private static final MethodHandle ACCEPT4 =
            Downcall.link(
                    "accept4",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CONNECT = Downcall.link("connect", ADDRESS_AND_LENGTH);
    private static final MethodHandle RECV = Downcall.link("recv", BYTES);
    private static final MethodHandle SEND = Downcall.link("send", BYTES);
    private static final MethodHandle RECVMSG = Downcall.link("recvmsg", MESSAGE);
    private static final MethodHandle SENDMSG = Downcall.link("sendmsg", MESSAGE);
    private static final FunctionDescriptor MESSAGES =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle SENDMMSG = Downcall.link("sendmmsg", MESSAGES);
    private static final MethodHandle RECVMMSG =
            Downcall.link(
                    "recvmmsg",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WRITEV = Downcall.link("writev", MESSAGE);
    private static final MethodHandle SHUTDOWN = Downcall.link("shutdown", INT_INT);
    private static final MethodHandle SETSOCKOPT =
            Downcall.link(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            Downcall.link(
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle GETSOCKNAME =
            Downcall.link("getsockname", ADDRESS_AND_POINTER);
    private static final MethodHandle GETPEERNAME =
            Downcall.link("getpeername", ADDRESS_AND_POINTER);

    /// Null on Linux, where the JIT leaves out what it is for.
    private static final @Nullable BsdSockets BSD = BsdSockets.here();

    private static final MessageLayout LAYOUT = Abi.HERE.messages();

    /// Tells if an IPv6 socket that carries IPv4 too has options of its own for each.
    public static final boolean HAS_OPTIONS_OF_BOTH = Abi.HERE.isLinux();

    /// Tells if a socket that listens takes [#acceptFilter].
    public static final boolean HAS_ACCEPT_FILTERS = Abi.HERE == Abi.FREEBSD;

    private Sockets() {}

    private static int system(int flags) {
        return BSD == null ? flags : BSD.flags(flags);
    }

    public static int socket(int domain, int type, int protocol) {
        return BSD == null
                ? Downcall.call(SOCKET, domain, type, protocol)
                : BSD.socket(domain, type, protocol);
    }

    public static int bind(int fd, long sockaddr, int length) {
        return Downcall.call(BIND, fd, sockaddr, length);
    }

    public static int listen(int fd, int backlog) {
        return Downcall.call(LISTEN, fd, backlog);
    }

    /// Accepts a connection; `sockaddr` and `lengthPointer` may both be 0. The `int` at
    /// `lengthPointer` holds the room at `sockaddr` before and the address's length after. `flags`
    /// of `SOCK_NONBLOCK` and `SOCK_CLOEXEC`.
    public static int accept4(int fd, long sockaddr, long lengthPointer, int flags) {
        return BSD == null
                ? Downcall.call(ACCEPT4, fd, sockaddr, lengthPointer, flags)
                : BSD.accept4(fd, sockaddr, lengthPointer, flags);
    }

    /// Connects; `-EINPROGRESS` on a non-blocking descriptor, whose outcome is `SO_ERROR` once it
    /// is writable.
    public static int connect(int fd, long sockaddr, int length) {
        return Downcall.call(CONNECT, fd, sockaddr, length);
    }

    /// Connects with the first bytes that are sent (TCP Fast Open), where that takes a call of its
    /// own (`connectx` of macOS); else as [#connect].
    public static int connectFast(int fd, long sockaddr, int length) {
        return BSD != null && BSD.connectsFast()
                ? BSD.connectFast(fd, sockaddr, length)
                : connect(fd, sockaddr, length);
    }

    /// Receives up to `length` bytes to `address`; 0 is the end of a stream.
    public static int recv(int fd, long address, int length, int flags) {
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno(
                            (long)
                                    RECV.invokeExact(
                                            state.capture,
                                            fd,
                                            address,
                                            (long) length,
                                            system(flags)));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Sends up to `length` bytes from `address` and returns how many the kernel took.
    public static int send(int fd, long address, int length, int flags) {
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno(
                            (long)
                                    SEND.invokeExact(
                                            state.capture,
                                            fd,
                                            address,
                                            (long) length,
                                            system(flags)));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Receives into the message header's vectors. The count fits an `int`: the kernel moves less
    /// than 2 GiB a call.
    public static int recvmsg(int fd, long msghdr, int flags) {
        if (BSD != null) {
            return BSD.recvmsg(fd, msghdr, flags);
        }
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno((long) RECVMSG.invokeExact(state.capture, fd, msghdr, flags));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Sends from the message header's vectors.
    public static int sendmsg(int fd, long msghdr, int flags) {
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno(
                            (long) SENDMSG.invokeExact(state.capture, fd, msghdr, system(flags)));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Sends a message for each of `count` headers at `mmsghdrs` and returns how many were sent; an
    /// error only when the first was not. Each one's length is in its header then.
    public static int sendmmsg(int fd, long mmsghdrs, int count, int flags) {
        return BSD == null
                ? Downcall.call(SENDMMSG, fd, mmsghdrs, count, flags)
                : BSD.sendmmsg(fd, mmsghdrs, count, flags);
    }

    /// Receives a message into each of `count` headers at `mmsghdrs`, as far as there are some, and
    /// returns how many.
    public static int recvmmsg(int fd, long mmsghdrs, int count, int flags) {
        return BSD == null
                ? Downcall.call(RECVMMSG, fd, mmsghdrs, count, flags, 0L)
                : BSD.recvmmsg(fd, mmsghdrs, count, flags);
    }

    /// Writes from `count` vectors at `iovecs`. On a socket whose peer has gone this raises
    /// `SIGPIPE`, which the JVM ignores.
    public static int writev(int fd, long iovecs, int count) {
        CallState state = CallState.current();
        try {
            return (int) state.orErrno((long) WRITEV.invokeExact(state.capture, fd, iovecs, count));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    public static int shutdown(int fd, int how) {
        return Downcall.call(SHUTDOWN, fd, how);
    }

    public static int setsockopt(int fd, int level, int name, long value, int length) {
        return BSD == null
                ? Downcall.call(SETSOCKOPT, fd, level, name, value, length)
                : BSD.options().setsockopt(fd, level, name, value, length);
    }

    /// Returns the level to give with an option whose level and number are this system's own.
    public static int systemLevel(int level) {
        return BSD == null ? level : level | Abi.RAW;
    }

    /// Tells if this system has an option.
    public static boolean hasOption(int level, int name) {
        return BSD == null || BSD.options().hasOption(level, name);
    }

    /// Sets the filter that connections pass before they are accepted, on a descriptor that
    /// listens (`SO_ACCEPTFILTER` of FreeBSD).
    ///
    /// @param filter its name in ASCII, such as `dataready`
    public static int acceptFilter(int fd, byte[] filter) {
        return BSD == null ? -Errno.ENOPROTOOPT : BSD.options().acceptFilter(fd, filter);
    }

    public static int getsockopt(int fd, int level, int name, long value, long lengthPointer) {
        return BSD == null
                ? Downcall.call(GETSOCKOPT, fd, level, name, value, lengthPointer)
                : BSD.options().getsockopt(fd, level, name, value, lengthPointer);
    }

    /// Sets an option whose value is an `int`.
    public static int setOption(int fd, int level, int name, int value) {
        long at = CallState.current().scratch; // alive: the thread holds its CallState
        Memory.putInt(at, value);
        return setsockopt(fd, level, name, at, Integer.BYTES);
    }

    /// The value of an option that is an `int`, or -errno. The value comes as an unsigned number,
    /// so that none looks like an error; a cast to `int` restores the sign.
    public static long getOption(int fd, int level, int name) {
        long at = CallState.current().scratch;
        Memory.putInt(at, 0);
        Memory.putInt(at + Integer.BYTES, Integer.BYTES);
        int error = getsockopt(fd, level, name, at, at + Integer.BYTES);
        return error < 0 ? error : Integer.toUnsignedLong(Memory.getInt(at));
    }

    /// Sets `SO_LINGER`: a close waits up to `seconds` for unsent bytes; 0 resets the connection;
    /// negative turns it off.
    public static int setLinger(int fd, int seconds) {
        long at = CallState.current().scratch;
        Memory.putInt(at, seconds < 0 ? 0 : 1);
        Memory.putInt(at + Integer.BYTES, Math.max(seconds, 0));
        return setsockopt(fd, SOL_SOCKET, SO_LINGER, at, 2 * Integer.BYTES);
    }

    /// The bytes that a `struct cmsghdr` with `length` bytes of data takes up among others:
    /// `CMSG_SPACE`.
    public static int controlSpace(int length) {
        return LAYOUT.space(length);
    }

    /// Writes a `struct cmsghdr` at `at` for `length` bytes of data behind it.
    public static void putControl(long at, int level, int type, int length) {
        LAYOUT.put(at, systemControl(level), type, length);
    }

    private static int systemControl(int level) {
        return BSD != null && level == SOL_SOCKET ? BsdSockets.SOL_SOCKET : level;
    }

    /// Returns the address of the data of the message of control data at `at`.
    public static long controlData(long at) {
        return at + LAYOUT.data();
    }

    /// Returns the number of bytes of data of the message of control data at `at`.
    public static int controlLength(long at) {
        return LAYOUT.length(at);
    }

    /// Tells if the message of control data at `at` is of this level and type.
    public static boolean isControl(long at, int level, int type) {
        return LAYOUT.level(at) == systemControl(level) && LAYOUT.type(at) == type;
    }

    /// Returns the address of the message of control data behind the one at `at`, or of the first
    /// one if that is 0; 0 if there is none (`CMSG_NXTHDR`). One that does not fit into the
    /// header's control data ends them.
    public static long nextControl(long msghdr, long at) {
        return LAYOUT.next(msghdr, at);
    }

    /// Returns the flags that a receive left in a message header.
    public static int messageFlags(long msghdr) {
        int flags = LAYOUT.flags(msghdr);
        return BSD == null ? flags : BSD.flagsOfLinux(flags);
    }

    public static int getsockname(int fd, long sockaddr, long lengthPointer) {
        return Downcall.call(GETSOCKNAME, fd, sockaddr, lengthPointer);
    }

    public static int getpeername(int fd, long sockaddr, long lengthPointer) {
        return Downcall.call(GETPEERNAME, fd, sockaddr, lengthPointer);
    }

    /// Writes a `struct iovec` at `at`.
    public static void putIovec(long at, long base, long length) {
        Memory.putLong(at + IOVEC_BASE, base);
        Memory.putLong(at + IOVEC_LENGTH, length);
    }

    /// Writes a `struct msghdr` at `at` with these vectors and no name, control data or flags.
    public static void putMsghdr(long at, long iovecs, long count) {
        Memory.putLong(at + MSGHDR_NAME, 0);
        Memory.putLong(at + MSGHDR_NAMELEN, 0);
        Memory.putLong(at + MSGHDR_IOV, iovecs);
        Memory.putLong(at + MSGHDR_IOVLEN, count);
        Memory.putLong(at + MSGHDR_CONTROL, 0);
        Memory.putLong(at + MSGHDR_CONTROLLEN, 0);
        Memory.putLong(at + MSGHDR_FLAGS, 0);
    }
}
