package io.weft.codec.socks;

/// A message of a server; see [SocksClientDecoder].
public sealed interface SocksServerMessage extends SocksMessage
        permits Socks4Reply,
                Socks5MethodChoice,
                Socks5PasswordReply,
                Socks5GssMessage,
                Socks5Reply {}
