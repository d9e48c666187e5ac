import org.jspecify.annotations.NullMarked;

/// Floor 3: machines of TLS over the system's OpenSSL, for `tls/machine`, which finds them.
@NullMarked
module io.weft.tls.openssl {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires io.weft.tls.machine;

    provides io.weft.tls.machine.spi.TlsEngineProvider with
            io.weft.tls.openssl.OpenSslProvider;
}
