import org.jspecify.annotations.NullMarked;

/// Floor 2: connections for straight-line code on virtual threads, over the same engines, codecs
/// and limits.
@NullMarked
module io.weft.blocking {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec;

    exports io.weft.blocking;
}
