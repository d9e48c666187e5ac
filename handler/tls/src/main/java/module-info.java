import org.jspecify.annotations.NullMarked;

/// Floor 3: TLS in a pipeline, over an engine that is a pure machine: the JDK's, or one that `.spi` brings.
@NullMarked
module io.weft.handler.tls {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.framing;

    exports io.weft.handler.tls;
    exports io.weft.handler.tls.spi;

    uses io.weft.handler.tls.spi.TlsEngineProvider;
}
