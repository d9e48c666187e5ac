package io.weft.ffi.call;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/// Links functions of the C library and calls them: one `call` a shape of arguments.
///
/// Callers pass a `static final` handle, which stays a constant once the JIT inlines these few
/// bytecodes. The calls on the path of every message do not rely on that and invoke their handle in
/// place.
public final class Downcall {
    /// As in `Errno`, which is above this package.
    private static final int ENOSYS = 38;

    private static final Linker LINKER = Linker.nativeLinker();

    private Downcall() {}

    /// Links a function that sets `errno`. The handle takes the capture segment first. Where the C
    /// library lacks the function, the handle fails with `ENOSYS`, as a kernel without the call
    /// would.
    ///
    /// SAFETY: callers give the signature of the man page for 64-bit processors. A pointer is
    /// declared as `JAVA_LONG`: the calling conventions of x86-64 and aarch64 pass both in the same
    /// general-purpose register, in full width, and so do `size_t`, `ssize_t` and `off_t`.
    public static MethodHandle link(
            String name, FunctionDescriptor type, Linker.Option... options) {
        List<Linker.Option> all = new ArrayList<>(List.of(options));
        all.add(Linker.Option.captureCallState("errno"));
        return LINKER.defaultLookup()
                .find(name)
                .map(symbol -> bind(symbol, type, all.toArray(Linker.Option[]::new)))
                .map(handle -> KernelFaults.around(name, handle))
                .orElseGet(() -> missing(type));
    }

    /// Links a function that neither fails nor waits nor calls back, without the thread's state
    /// transition.
    public static MethodHandle linkTrivial(String name, FunctionDescriptor type) {
        return bind(LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.critical(false));
    }

    @SuppressWarnings("restricted") // callers answer for the signature
    public static MethodHandle bind(
            MemorySegment symbol, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(symbol, type, options);
    }

    /// A handle that fails with `ENOSYS`.
    public static MethodHandle missing(FunctionDescriptor type) {
        MethodType call = type.toMethodType();
        try {
            MethodHandle fail =
                    MethodHandles.lookup()
                            .findStatic(
                                    Downcall.class,
                                    "noSuchFunction",
                                    MethodType.methodType(long.class, MemorySegment.class));
            MethodType failing = MethodType.methodType(call.returnType(), MemorySegment.class);
            return MethodHandles.dropArguments(
                    MethodHandles.explicitCastArguments(fail, failing), 1, call.parameterList());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no handle of type " + call, e);
        }
    }

    @SuppressWarnings("UnusedMethod") // found by name
    private static long noSuchFunction(MemorySegment capture) {
        CallState.setErrno(capture, ENOSYS);
        return -1;
    }

    /// Returns the error to throw if a handle threw: nothing that C does, but the JVM itself (a
    /// stack overflow, for one).
    public static Error unexpected(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> e;
            default -> new LinkageError("a native call threw", thrown);
        };
    }

    public static int call(MethodHandle function, int a) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, int b) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, int b, int c) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, long b, int c) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, long a, int b) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, long a, long b) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, long a, long b, int c) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, long b, long c) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, long b, long c, int d) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, long b, int c, int d) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, long b, int c, int d, long e) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d, e));
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    public static int call(MethodHandle function, int a, int b, int c, long d) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int call(MethodHandle function, int a, int b, int c, long d, int e) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d, e));
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    public static int call(MethodHandle function, int a, int b, int c, long d, long e) {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) function.invokeExact(state.capture, a, b, c, d, e));
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
