import org.jspecify.annotations.NullMarked;

/// Floor 4: outgoing connections through proxies: HTTP CONNECT, SOCKS 4, 4a and 5, and chains.
///
/// ```java
/// new Bootstrap(group)
///         .tunnel(ProxyChain.of("socks5h://user:secret@proxy.example:1080"))
///         .handler(ch -> ch.pipeline().addLast(new Greeting()))
///         .connect("example.org", 7);
/// ```
@NullMarked
module io.weft.handler.proxy {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.socks;
    requires io.weft.handler.tls;
    requires io.weft.http.http1;
    requires transitive io.weft.http.model;
    requires transitive io.weft.tls.machine;

    exports io.weft.handler.proxy;
}
