import org.jspecify.annotations.NullMarked;

/// Floor 2: the shapes of codecs. A codec is a pure machine that turns bytes into messages or back;
/// it knows no channel.
@NullMarked
module io.weft.codec {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;

    exports io.weft.codec;
}
