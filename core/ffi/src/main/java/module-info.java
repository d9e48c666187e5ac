import org.jspecify.annotations.NullMarked;

/// Floor 0: libc, system calls, raw off-heap memory, and OpenSSL where there is one. The only
/// module that makes native calls; grant it with `--enable-native-access=io.weft.ffi`.
@NullMarked
module io.weft.ffi {
    requires static transitive org.jspecify;

    exports io.weft.ffi;
    exports io.weft.ffi.openssl;
    exports io.weft.ffi.uring;
}
