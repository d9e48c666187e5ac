package io.weft.codec.socks;

/// A message of a client; see [SocksServerDecoder].
public sealed interface SocksClientMessage extends SocksMessage
        permits SocksRequest, Socks5Greeting, Socks5PasswordRequest, Socks5GssMessage {}
