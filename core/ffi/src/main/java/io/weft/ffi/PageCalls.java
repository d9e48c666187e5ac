package io.weft.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// `mmap`, `madvise` and `getpagesize` as Linux and macOS have them.
final class PageCalls {
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");
    private static final boolean MAC = System.getProperty("os.name").startsWith("Mac");

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = LINUX ? 0x20 : 0x1000;
    private static final int MAP_NORESERVE = LINUX ? 0x4000 : 0x40;

    /// Linux: `MADV_DONTNEED`. macOS: `MADV_FREE_REUSABLE`, which takes the pages off the process's
    /// bill.
    private static final int DECOMMIT = LINUX ? 4 : 7;

    private PageCalls() {}

    /// Linked when it is first needed: not where native access is denied.
    private static final class Linked {
        static final MethodHandle MMAP =
                Downcall.link(
                        "mmap",
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_LONG));
        static final MethodHandle MADVISE =
                Downcall.link(
                        "madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle PAGE_SIZE =
                Downcall.link("getpagesize", FunctionDescriptor.of(JAVA_INT));
    }

    private static boolean hasCalls() {
        return NativeAccess.granted() && (LINUX || MAC);
    }

    static int size() {
        if (!hasCalls()) {
            return 4096;
        }
        try {
            return (int) Linked.PAGE_SIZE.invokeExact(CallState.current().capture);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    // SAFETY: a new anonymous mapping where the kernel likes it touches no memory of anybody.
    static long map(long size) {
        if (!hasCalls()) {
            return Arena.global().allocate(size, Pages.SIZE).address();
        }
        CallState state = CallState.current();
        long address;
        try {
            address =
                    state.orErrno(
                            (long)
                                    Linked.MMAP.invokeExact(
                                            state.capture,
                                            0L,
                                            size,
                                            PROT_READ_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                                            -1,
                                            0L));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
        if (address < 0) {
            throw new OutOfMemoryError("size: " + size + " (mmap: errno " + -address + ")");
        }
        return address;
    }

    // SAFETY: the pages are the caller's, who has given up their content; they stay mapped.
    static void decommit(long address, long size) {
        if (!hasCalls()) {
            return;
        }
        // A refusal (locked pages, for one) only means that the pages stay resident.
        int _ = Downcall.call(Linked.MADVISE, address, size, DECOMMIT);
    }
}
