import org.jspecify.annotations.NullMarked;

/// Floor 4: server-sent events (WHATWG HTML, 9.2), and their decoder.
@NullMarked
module io.weft.http.events {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.events;
}
