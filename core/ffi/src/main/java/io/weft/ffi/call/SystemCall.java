package io.weft.ffi.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/// `syscall(2)`, for calls that C libraries have no function for, or have only lately. The numbers
/// here are those that all processors share.
public final class SystemCall {
    public static final long IO_URING_SETUP = 425;
    public static final long IO_URING_ENTER = 426;
    public static final long IO_URING_REGISTER = 427;
    public static final long EPOLL_PWAIT2 = 441;
    public static final long CACHESTAT = 451;

    private static final FunctionDescriptor TYPE =
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG);

    /// Takes the number and six arguments, each a `long`: callers extend an `int` themselves, so
    /// that no register has undefined bits.
    ///
    /// SAFETY: `syscall` is variadic after the number. The numbers mean nothing to another system's
    /// kernel, hence nothing is linked there.
    public static final MethodHandle SYSCALL =
            System.getProperty("os.name").equals("Linux")
                    ? Downcall.link("syscall", TYPE, Linker.Option.firstVariadicArg(1))
                    : Downcall.missing(TYPE);

    private SystemCall() {}

    public static long call(long number, long a, long b, long c, long d, long e, long f) {
        CallState state = CallState.current();
        try {
            return state.orErrno(
                    (long) SYSCALL.invokeExact(state.capture, number, a, b, c, d, e, f));
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }
}
