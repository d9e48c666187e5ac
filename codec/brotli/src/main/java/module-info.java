import org.jspecify.annotations.NullMarked;

/// Floor 3: Brotli (RFC 7932), by the reference library through brotli4j.
///
/// The library is native and loaded by JNI, from an artifact for each system that Maven adds by
/// itself on Linux, macOS and Windows. The JVM asks for a flag for that, beside the one for Weft
/// itself:
///
/// ```
/// --enable-native-access=io.weft.ffi,com.aayushatharva.brotli4j
/// ```
///
/// or `ALL-UNNAMED` on the class path. Where it cannot be loaded, constructors throw
/// [UnsupportedOperationException].
@NullMarked
module io.weft.codec.brotli {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec.compression;
    requires com.aayushatharva.brotli4j;

    exports io.weft.codec.brotli;
}
