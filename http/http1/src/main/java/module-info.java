import org.jspecify.annotations.NullMarked;

/// Floor 4: HTTP/1.1 (RFC 9112) as pure machines.
@SuppressWarnings("module") // the digit is part of the name of the protocol
@NullMarked
module io.weft.http.http1 {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.http1;
}
