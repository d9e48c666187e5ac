import org.jspecify.annotations.NullMarked;

/// Floor 4: HTTP/2 as a wire of the HTTP model.
@SuppressWarnings("module") // the digit is part of the name of the protocol
@NullMarked
module io.weft.http.http2 {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.codec;
    requires transitive io.weft.engine;
    requires io.weft.http.hpack;
    requires transitive io.weft.http.model;

    exports io.weft.http.http2;
}
