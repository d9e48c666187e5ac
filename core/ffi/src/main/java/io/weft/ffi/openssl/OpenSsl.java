package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.NativeAccess;
import io.weft.ffi.call.Downcall;
import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// OpenSSL 3 as the system has it: looks for `libcrypto` and `libssl` when first asked, once a
/// process, in the folder `io.weft.openssl.path` if that property is set, else where the dynamic
/// linker looks.
///
/// [Ssl], [SslCtx], [SslBio], [X509] and [SslErrors] call what is found here; use them only after
/// [#available()]. Their functions are OpenSSL's of the same name, and as little checked: a handle
/// (`long`) that is 0, freed or another object's corrupts memory. Objects belong to one thread at a
/// time, unless said otherwise.
public final class OpenSsl {
    private static final long INIT_NO_ATEXIT = 0x80000;

    private static final @Nullable SymbolLookup LIBRARIES;
    private static final @Nullable String REFUSAL;
    private static final String VERSION;

    static {
        SymbolLookup libraries = null;
        String refusal = null;
        String version = "";
        try {
            refusal = NativeAccess.refusal();
            if (refusal == null) {
                libraries = find(System.getProperty("io.weft.openssl.path", ""));
                version = initialize(libraries);
            }
        } catch (IllegalArgumentException e) {
            libraries = null;
            refusal = e.getMessage();
        }
        LIBRARIES = libraries;
        REFUSAL = refusal;
        VERSION = version;
    }

    private OpenSsl() {}

    /// True when OpenSSL 3 was found and native calls may be made.
    public static boolean available() {
        return LIBRARIES != null;
    }

    /// Why OpenSSL cannot be used, and what would change that; null when it can.
    public static @Nullable String refusal() {
        return REFUSAL;
    }

    /// Returns the library's own version text, as `OpenSSL 3.0.19 27 Jan 2026`; empty if there is
    /// no library.
    public static String version() {
        return VERSION;
    }

    private static String[] names() {
        String system = System.getProperty("os.name");
        if (system.startsWith("Mac")) {
            return new String[] {"libcrypto.3.dylib", "libssl.3.dylib"};
        }
        if (system.startsWith("Windows")) {
            return new String[] {"libcrypto-3-x64.dll", "libssl-3-x64.dll"};
        }
        return new String[] {"libcrypto.so.3", "libssl.so.3"};
    }

    /// `libssl` needs `libcrypto`, which comes first, so that both are of the same folder.
    static SymbolLookup find(String folder) {
        String[] names = names();
        SymbolLookup crypto = load(folder, names[0]);
        SymbolLookup ssl = load(folder, names[1]);
        return name -> ssl.find(name).or(() -> crypto.find(name));
    }

    // SAFETY: loads the operating system's library of that name, or that of the folder that whoever
    // started this JVM
    // named; for good, because functions of it are linked.
    @SuppressWarnings("restricted")
    private static SymbolLookup load(String folder, String name) {
        try {
            return folder.isEmpty()
                    ? SymbolLookup.libraryLookup(name, Arena.global())
                    : SymbolLookup.libraryLookup(Path.of(folder, name), Arena.global());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    folder.isEmpty()
                            ? name
                                    + ": not found; install OpenSSL 3, or say where it is with"
                                    + " -Dio.weft.openssl.path"
                            : "io.weft.openssl.path: "
                                    + folder
                                    + " (expected: a folder with "
                                    + name
                                    + ")",
                    e);
        }
    }

    /// Without the handler of `atexit`: it would tear the library down under threads that still use
    /// it.
    private static String initialize(SymbolLookup libraries) {
        IntFunction initialize = ofInt(libraries, "OPENSSL_init_ssl", 2);
        LongFunction number = ofLong(libraries, "OpenSSL_version_num", 0);
        LongFunction text = ofLong(libraries, "OpenSSL_version", 1);
        String version = CString.read(text.call(0));
        if (number.call() >>> 28 != 3) {
            throw new IllegalArgumentException(version + " (expected: OpenSSL 3)");
        }
        if (initialize.call(INIT_NO_ATEXIT, 0) != 1) {
            throw new IllegalArgumentException(version + " cannot be initialized");
        }
        return version;
    }

    // ---- linking ----

    /// Links a function of so many arguments, each of which an address, a `long` or an `int`.
    ///
    /// SAFETY: see [Downcall#link]. An `int` is passed in the same register as a `long` would be,
    /// of which the callee looks at the lower half; callers give signatures of OpenSSL's manual.
    static IntFunction ofInt(String name, int arguments, Linker.Option... options) {
        return ofInt(libraries(), name, arguments, options);
    }

    private static IntFunction ofInt(
            SymbolLookup in, String name, int arguments, Linker.Option... options) {
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, longs(arguments));
        return new IntFunction(Downcall.bind(symbol(in, name), type, options));
    }

    /// As [#ofInt], for functions that return nothing.
    static IntFunction ofVoid(String name, int arguments, Linker.Option... options) {
        FunctionDescriptor type = FunctionDescriptor.ofVoid(longs(arguments));
        MethodHandle handle = Downcall.bind(symbol(libraries(), name), type, options);
        return new IntFunction(
                MethodHandles.filterReturnValue(handle, MethodHandles.constant(int.class, 0)));
    }

    /// As [#ofInt], for functions that return an address, a `long` or a `size_t`.
    static LongFunction ofLong(String name, int arguments, Linker.Option... options) {
        return ofLong(libraries(), name, arguments, options);
    }

    private static LongFunction ofLong(
            SymbolLookup in, String name, int arguments, Linker.Option... options) {
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, longs(arguments));
        return new LongFunction(Downcall.bind(symbol(in, name), type, options));
    }

    private static MemoryLayout[] longs(int count) {
        MemoryLayout[] arguments = new MemoryLayout[count];
        Arrays.fill(arguments, JAVA_LONG);
        return arguments;
    }

    private static MemorySegment symbol(SymbolLookup in, String name) {
        return in.find(name)
                .orElseThrow(() -> new IllegalArgumentException(name + ": not in the library"));
    }

    private static SymbolLookup libraries() {
        if (LIBRARIES == null) {
            throw new IllegalStateException("OpenSSL is not available: " + REFUSAL);
        }
        return LIBRARIES;
    }
}
