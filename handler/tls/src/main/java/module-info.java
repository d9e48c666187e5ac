import org.jspecify.annotations.NullMarked;

/// Floor 3: TLS in a pipeline.
@NullMarked
module io.weft.handler.tls {
    requires jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires io.weft.codec;
    requires transitive io.weft.tls.machine;

    exports io.weft.handler.tls;
}
