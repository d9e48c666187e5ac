import org.jspecify.annotations.NullMarked;

/// Floor 2: certificates, keys and trust, and the names that certificates are for.
@SuppressWarnings("module") // the digits are part of the name of the standard
@NullMarked
module io.weft.tls.x509 {
    requires static transitive org.jspecify;
    requires io.weft.loop;

    exports io.weft.tls.x509;
}
