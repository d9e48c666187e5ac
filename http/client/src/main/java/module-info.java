import org.jspecify.annotations.NullMarked;

/// Floor 4: the HTTP client.
@NullMarked
module io.weft.http.client {
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires io.weft.codec;
    requires transitive io.weft.codec.compression;
    requires io.weft.handler.tls;
    requires transitive io.weft.http.http1;
    requires io.weft.http.http2;
    requires transitive io.weft.http.model;
    requires transitive io.weft.tls.machine;

    exports io.weft.http.client;
}
