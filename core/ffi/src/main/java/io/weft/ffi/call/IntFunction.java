package io.weft.ffi.call;

import java.lang.invoke.MethodHandle;

/// A linked C function that returns an `int`, or nothing (then 0). Kept in a `static final` field,
/// it is a constant to the JIT, and so is its handle: a record's fields are trusted to be final.
public record IntFunction(MethodHandle handle) {
    public int call() {
        try {
            return (int) handle.invokeExact();
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public int call(long a) {
        try {
            return (int) handle.invokeExact(a);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public int call(long a, long b) {
        try {
            return (int) handle.invokeExact(a, b);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public int call(long a, long b, long c) {
        try {
            return (int) handle.invokeExact(a, b, c);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public int call(long a, long b, long c, long d, long e) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }

    public int call(long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw Downcall.unexpected(thrown);
        }
    }
}
