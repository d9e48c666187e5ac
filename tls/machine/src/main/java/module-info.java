import org.jspecify.annotations.NullMarked;

/// Floor 3: one side of a TLS connection as a pure machine, records in and out: the JDK's, or one
/// that `.spi` brings.
@NullMarked
module io.weft.tls.machine {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.tls.x509;

    exports io.weft.tls.machine;
    exports io.weft.tls.machine.spi;

    uses io.weft.tls.machine.spi.TlsEngineProvider;
}
