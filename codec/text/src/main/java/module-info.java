import org.jspecify.annotations.NullMarked;

/// Floor 3: codecs of text: strings, Base64, JSON elements, and header lines.
@NullMarked
module io.weft.codec.text {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.text;
}
