import org.jspecify.annotations.NullMarked;

/// Floor 3: SOCKS 4, 4a and 5 (RFC 1928, 1929, 1961), for clients and servers.
///
/// ```java
/// case Socks5Greeting greeting -> {
///     Socks5Method method = greeting.choose(Socks5Method.NO_AUTHENTICATION);
///     decoder.method(method);
///     ctx.writeAndFlush(new Socks5MethodChoice(method));
/// }
/// case SocksRequest request -> connect(request.command(), request.destination());
/// ```
@NullMarked
module io.weft.codec.socks {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.socks;
}
