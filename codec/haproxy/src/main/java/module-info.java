import org.jspecify.annotations.NullMarked;

/// Floor 3: the PROXY protocol of HAProxy, versions 1 and 2, both ways.
///
/// ```java
/// ProxyHeader header = ProxyHeader.v2(Transport.TCP4, client, server, new ProxyTlv.Alpn("h2"));
/// new HaproxyEncoder().encode(header, out);
/// ```
@NullMarked
module io.weft.codec.haproxy {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.haproxy;
}
