import org.jspecify.annotations.NullMarked;

/// Floor 3: what every codec is: a pure machine that turns bytes into messages.
@NullMarked
module io.weft.codec.framing {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;

    exports io.weft.codec.framing;
}
