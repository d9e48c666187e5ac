import org.jspecify.annotations.NullMarked;

/// Floor 3: connections behind a proxy that speaks the PROXY protocol, and before one.
///
/// ```java
/// channel.pipeline().addFirst("proxy", new ProxyHeaderReceiver(TrustedProxies.of("10.0.0.0/8")));
/// ```
@NullMarked
module io.weft.handler.haproxy {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.haproxy;
    requires transitive io.weft.handler.filter;

    exports io.weft.handler.haproxy;
}
