import org.jspecify.annotations.NullMarked;

/// Floor 4: the HTTP server.
@NullMarked
module io.weft.http.server {
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires io.weft.codec;
    requires transitive io.weft.codec.compression;
    requires transitive io.weft.handler.haproxy;
    requires io.weft.handler.tls;
    requires transitive io.weft.http.http1;
    requires transitive io.weft.http.http2;
    requires transitive io.weft.http.model;
    requires transitive io.weft.tls.machine;

    exports io.weft.http.server;
}
