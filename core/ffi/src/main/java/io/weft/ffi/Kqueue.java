package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/// `kqueue(2)` of the system, or of a library.
public final class Kqueue implements KqueueCalls {
    private final MethodHandle kqueue;
    private final MethodHandle kevent;

    private Kqueue(SymbolLookup lookup) {
        kqueue = link(lookup, "kqueue", FunctionDescriptor.of(JAVA_INT));
        kevent =
                link(
                        lookup,
                        "kevent",
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT,
                                JAVA_LONG));
    }

    private static MethodHandle link(SymbolLookup lookup, String name, FunctionDescriptor type) {
        return Downcall.bind(
                lookup.findOrThrow(name), type, Linker.Option.captureCallState("errno"));
    }

    /// Returns the system's.
    ///
    /// @throws UnsupportedOperationException if it has none
    public static KqueueCalls ofSystem() {
        try {
            return new Kqueue(Linker.nativeLinker().defaultLookup());
        } catch (NoSuchElementException e) {
            throw new UnsupportedOperationException("kqueue: the C library has none", e);
        }
    }

    /// Returns that of a shared library, such as libkqueue.
    ///
    /// @param library a path, or a name that the system's loader finds
    /// @throws UnsupportedOperationException if there is no such library, or it has no kqueue
    // SAFETY: whoever names a library vouches for it; it is never unloaded.
    @SuppressWarnings("restricted")
    public static KqueueCalls ofLibrary(String library) {
        try {
            return new Kqueue(SymbolLookup.libraryLookup(library, Arena.global()));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new UnsupportedOperationException(
                    "library " + library + ": " + e.getMessage(), e);
        }
    }

    @Override
    public int kqueue() {
        CallState state = CallState.current();
        try {
            return state.orErrno((int) kqueue.invoke(state.capture));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int kevent(
            int queue,
            long changes,
            int changeCount,
            long events,
            int eventCount,
            long timeoutNanos) {
        CallState state = CallState.current();
        long timeout = 0;
        if (timeoutNanos < Long.MAX_VALUE) {
            timeout = state.scratch;
            KernelTimespec.put(timeout, timeoutNanos);
        }
        try {
            return state.orErrno(
                    (int)
                            kevent.invoke(
                                    state.capture,
                                    queue,
                                    changes,
                                    changeCount,
                                    events,
                                    eventCount,
                                    timeout));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @Override
    public int close(int queue) {
        return Libc.close(queue);
    }
}
