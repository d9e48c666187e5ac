package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/// [BsdCalls] of the C library. One that a system lacks fails with `ENOSYS`.
final class LinkedBsdCalls implements BsdCalls {
    private static final FunctionDescriptor ADDRESS =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor MESSAGE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);

    private final MethodHandle socket =
            Downcall.link("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private final MethodHandle accept = Downcall.link("accept", ADDRESS);
    private final MethodHandle accept4 =
            Downcall.link(
                    "accept4",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private final MethodHandle connectx =
            Downcall.link(
                    "connectx",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT,
                            JAVA_LONG, JAVA_LONG));
    private final MethodHandle fcntl =
            Downcall.link(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private final MethodHandle setsockopt =
            Downcall.link(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
    private final MethodHandle getsockopt =
            Downcall.link(
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private final MethodHandle getsockname = Downcall.link("getsockname", ADDRESS);
    private final MethodHandle sendmsg = Downcall.link("sendmsg", MESSAGE);
    private final MethodHandle recvmsg = Downcall.link("recvmsg", MESSAGE);
    private final MethodHandle sendfileOfMac =
            Downcall.link(
                    "sendfile",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_INT));
    private final MethodHandle sendfileOfFreeBsd =
            Downcall.link(
                    "sendfile",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_INT));

    @Override
    public int socket(int domain, int type, int protocol) {
        return Downcall.call(socket, domain, type, protocol);
    }

    @Override
    public int accept(int fd, long sockaddr, long lengthPointer) {
        return Downcall.call(accept, fd, sockaddr, lengthPointer);
    }

    @Override
    public int accept4(int fd, long sockaddr, long lengthPointer, int flags) {
        return Downcall.call(accept4, fd, sockaddr, lengthPointer, flags);
    }

    @Override
    public int connectx(int fd, long endpoints, int flags) {
        CallState state = CallState.current();
        try {
            // The association is SAE_ASSOCID_ANY; no data, no connection's id.
            return state.orErrno(
                    (int)
                            connectx.invokeExact(
                                    state.capture, fd, endpoints, 0, flags, 0L, 0, 0L, 0L));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return Downcall.call(fcntl, fd, command, argument);
    }

    @Override
    public int setsockopt(int fd, int level, int name, long value, int length) {
        return Downcall.call(setsockopt, fd, level, name, value, length);
    }

    @Override
    public int getsockopt(int fd, int level, int name, long value, long lengthPointer) {
        return Downcall.call(getsockopt, fd, level, name, value, lengthPointer);
    }

    @Override
    public int getsockname(int fd, long sockaddr, long lengthPointer) {
        return Downcall.call(getsockname, fd, sockaddr, lengthPointer);
    }

    @Override
    public int sendmsg(int fd, long msghdr, int flags) {
        return message(sendmsg, fd, msghdr, flags);
    }

    @Override
    public int recvmsg(int fd, long msghdr, int flags) {
        return message(recvmsg, fd, msghdr, flags);
    }

    private static int message(MethodHandle function, int fd, long msghdr, int flags) {
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno((long) function.invokeExact(state.capture, fd, msghdr, flags));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int sendfileOfMac(int file, int socket, long offset, long length) {
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (int)
                            sendfileOfMac.invokeExact(
                                    state.capture, file, socket, offset, length, 0L, 0));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int sendfileOfFreeBsd(int file, int socket, long offset, long count, long sent) {
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (int)
                            sendfileOfFreeBsd.invokeExact(
                                    state.capture, file, socket, offset, count, 0L, sent, 0));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int close(int fd) {
        return Libc.close(fd);
    }
}
