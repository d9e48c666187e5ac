import org.jspecify.annotations.NullMarked;

/// Floor 3: framers: length field, line, delimiter, fixed length, varint.
@NullMarked
module io.weft.codec.framing {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.framing;
}
