package io.weft.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// `posix_memalign` and `free` of the C library.
final class Heap {
    private static final MethodHandle MEMALIGN =
            link("posix_memalign", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private Heap() {}

    // SAFETY: signatures are those of POSIX; `free` gets only addresses that posix_memalign
    // returned. An address is
    // passed to `free` as a 64-bit integer, which every supported ABI passes like a pointer.
    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    static long allocate(long size, long alignment) {
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int error =
                    (int) MEMALIGN.invokeExact(out, Math.max(alignment, 8L), Math.max(size, 1L));
            if (error != 0) {
                throw new OutOfMemoryError(
                        "size: " + size + " (posix_memalign returned " + error + ")");
            }
            return out.get(JAVA_LONG, 0);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("posix_memalign", e);
        }
    }

    static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("free", e);
        }
    }
}
