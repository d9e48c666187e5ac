import org.jspecify.annotations.NullMarked;

/// Floor 3: compressed streams as pure machines, with limits on what they may expand to.
@NullMarked
module io.weft.codec.compression {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.compression;
}
