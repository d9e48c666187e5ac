package io.weft.codec.socks;

/// The answer to a [Socks5Request] (RFC 1928, 6).
///
/// @param bound the address of the server's end, where datagrams go (UDP ASSOCIATE), or of the peer
///     in the second reply to BIND
public record Socks5Reply(Socks5Status status, SocksAddress bound) implements SocksServerMessage {
    /// The answer with an address of zeros.
    public static Socks5Reply of(Socks5Status status) {
        return new Socks5Reply(status, SocksAddress.UNSPECIFIED);
    }
}
