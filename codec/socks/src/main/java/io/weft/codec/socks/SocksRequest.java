package io.weft.codec.socks;

/// A client's request, of either version. What it is answered with ends the negotiation.
public sealed interface SocksRequest extends SocksClientMessage
        permits Socks4Request, Socks5Request {
    SocksCommand command();

    /// Returns the destination of CONNECT, the address that is to connect to a BIND, or the address
    /// that the client sends its datagrams from (UDP ASSOCIATE), all zeros if it does not know yet.
    SocksAddress destination();

    /// Makes the answer that grants this request.
    ///
    /// @param bound the address of the server's end; of the peer in the second reply to BIND
    /// @throws IllegalArgumentException when `bound` is not an IPv4 address and this is SOCKS 4
    SocksServerMessage granted(SocksAddress bound);

    /// Makes the answer that refuses this request. SOCKS 4 has no room for a reason.
    SocksServerMessage refused(Socks5Status reason);
}
