import org.jspecify.annotations.NullMarked;

/// Floor 3: engines of TLS over the system's OpenSSL, for `handler/tls`, which finds them.
@NullMarked
module io.weft.handler.openssl {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires io.weft.handler.tls;

    provides io.weft.handler.tls.spi.TlsEngineProvider with
            io.weft.handler.openssl.OpenSslProvider;
}
