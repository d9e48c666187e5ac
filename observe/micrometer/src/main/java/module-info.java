import org.jspecify.annotations.NullMarked;

/// Floor 5: metrics of loops, buffers and HTTP for Micrometer.
@NullMarked
@SuppressWarnings("requires-transitive-automatic") // the library has only a name in its manifest
module io.weft.observe.micrometer {
    requires static transitive org.jspecify;
    requires io.weft.buffer;
    requires transitive io.weft.eventloop;
    requires io.weft.http.client;
    requires transitive io.weft.http.model;
    requires transitive io.weft.http.server;
    requires transitive micrometer.core;

    exports io.weft.observe.micrometer;
}
