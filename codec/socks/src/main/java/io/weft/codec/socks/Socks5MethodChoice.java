package io.weft.codec.socks;

/// The server's answer to a [Socks5Greeting].
public record Socks5MethodChoice(Socks5Method method) implements SocksServerMessage {}
