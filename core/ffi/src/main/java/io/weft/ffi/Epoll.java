package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import io.weft.ffi.call.SystemCall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// `epoll(7)` of Linux. Errors, threads and addresses: as [Libc] says; elsewhere every call returns
/// `-ENOSYS`.
public final class Epoll {
    public static final int EPOLLIN = 1;
    public static final int EPOLLPRI = 2;
    public static final int EPOLLOUT = 4;
    public static final int EPOLLERR = 8;
    public static final int EPOLLHUP = 0x10;
    public static final int EPOLLRDHUP = 0x2000;
    public static final int EPOLLEXCLUSIVE = 1 << 28;
    public static final int EPOLLONESHOT = 1 << 30;
    public static final int EPOLLET = 1 << 31;

    public static final int CTL_ADD = 1;
    public static final int CTL_DEL = 2;
    public static final int CTL_MOD = 3;

    /// The size of `struct epoll_event`, which is packed on x86-64 only, so that 32-bit programs
    /// see the same one.
    public static final int EVENT_SIZE = eventSize(System.getProperty("os.arch"));

    static final int EVENTS = 0;
    static final int DATA = dataOffset(System.getProperty("os.arch"));

    private static final MethodHandle EPOLL_CREATE1 =
            Downcall.link("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL =
            Downcall.link(
                    "epoll_ctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle EPOLL_WAIT =
            Downcall.link(
                    "epoll_wait",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));

    private Epoll() {}

    static int eventSize(String processor) {
        return isX86(processor) ? 12 : 16;
    }

    static int dataOffset(String processor) {
        return isX86(processor) ? 4 : 8;
    }

    private static boolean isX86(String processor) {
        return processor.equals("amd64") || processor.equals("x86_64");
    }

    /// A new instance's descriptor, close-on-exec.
    public static int create() {
        return Downcall.call(EPOLL_CREATE1, Libc.O_CLOEXEC); // EPOLL_CLOEXEC is O_CLOEXEC
    }

    /// Adds, changes or removes interest in `fd`; `data` comes back with its events. For `CTL_DEL`
    /// both are ignored.
    public static int ctl(int epfd, int op, int fd, int events, long data) {
        long event = CallState.current().scratch;
        Memory.putInt(event + EVENTS, events);
        Memory.putLong(event + DATA, data);
        return Downcall.call(EPOLL_CTL, epfd, op, fd, event);
    }

    /// Waits for events and returns how many it wrote to `events`, where there is room for
    /// `maxEvents` of [#EVENT_SIZE] bytes: 0 when the time is over, at once when `timeoutMillis` is
    /// 0, no limit when it is negative.
    public static int wait(int epfd, long events, int maxEvents, int timeoutMillis) {
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (int)
                            EPOLL_WAIT.invokeExact(
                                    state.capture, epfd, events, maxEvents, timeoutMillis));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// As [#wait], to the nanosecond; `-ENOSYS` where the kernel lacks `epoll_pwait2` (before
    /// 5.11).
    public static int wait2(int epfd, long events, int maxEvents, long timeoutNanos) {
        CallState state = CallState.current();
        long timeout = 0;
        if (timeoutNanos >= 0) {
            timeout = state.scratch;
            KernelTimespec.put(timeout, timeoutNanos);
        }
        try {
            return (int)
                    state.orErrno(
                            (long)
                                    SystemCall.SYSCALL.invokeExact(
                                            state.capture,
                                            SystemCall.EPOLL_PWAIT2,
                                            (long) epfd,
                                            events,
                                            (long) maxEvents,
                                            timeout,
                                            0L,
                                            0L));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// The events of element `index` of what [#wait] wrote.
    public static int events(long array, int index) {
        return Memory.getInt(array + (long) index * EVENT_SIZE + EVENTS);
    }

    /// The data of element `index` of what [#wait] wrote.
    public static long data(long array, int index) {
        return Memory.getLong(array + (long) index * EVENT_SIZE + DATA);
    }
}
