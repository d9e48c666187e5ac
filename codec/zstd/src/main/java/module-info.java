import org.jspecify.annotations.NullMarked;

/// Floor 3: Zstandard (RFC 8878), by the reference library through zstd-jni.
///
/// The library is native and loaded by JNI, from a file that it unpacks into the directory for
/// temporary files. The JVM asks for a flag for that, beside the one for Weft itself:
///
/// ```
/// --enable-native-access=io.weft.ffi,com.github.luben.zstd_jni
/// ```
///
/// or `ALL-UNNAMED` on the class path. Where it cannot be loaded, constructors throw
/// [UnsupportedOperationException].
@NullMarked
module io.weft.codec.zstd {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec.compression;
    requires com.github.luben.zstd_jni;

    exports io.weft.codec.zstd;
}
