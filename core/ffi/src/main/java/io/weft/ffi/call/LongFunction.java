package io.weft.ffi.call;

import java.lang.invoke.MethodHandle;

/// As [IntFunction], of a function that returns a pointer, a `long` or a `size_t`.
public record LongFunction(MethodHandle handle) {
    public long call() {
        try {
            return (long) handle.invokeExact();
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public long call(long a) {
        try {
            return (long) handle.invokeExact(a);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public long call(long a, long b) {
        try {
            return (long) handle.invokeExact(a, b);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public long call(long a, long b, long c) {
        try {
            return (long) handle.invokeExact(a, b, c);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public long call(long a, long b, long c, long d) {
        try {
            return (long) handle.invokeExact(a, b, c, d);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public long call(long a, long b, long c, long d, long e) {
        try {
            return (long) handle.invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }
}
