import org.jspecify.annotations.NullMarked;

/// Floor 3: xz streams, which are LZMA2 in a container, and the older `.lzma`, by XZ for Java. It
/// is plain Java: no flag is needed.
@NullMarked
module io.weft.codec.lzma {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec.compression;
    requires org.tukaani.xz;

    exports io.weft.codec.lzma;
}
