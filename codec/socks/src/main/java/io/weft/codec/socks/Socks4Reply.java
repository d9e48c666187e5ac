package io.weft.codec.socks;

/// The answer to a [Socks4Request].
///
/// @param bound an IPv4 address: of the server's end; of the peer in the second reply to BIND
public record Socks4Reply(Socks4Status status, SocksAddress bound) implements SocksServerMessage {
    /// @throws IllegalArgumentException when `bound` is not an IPv4 address
    public Socks4Reply {
        var _ = ipv4(bound);
    }

    /// The answer with an address of zeros.
    public static Socks4Reply of(Socks4Status status) {
        return new Socks4Reply(status, SocksAddress.UNSPECIFIED);
    }

    static byte[] ipv4(SocksAddress address) {
        if (address instanceof SocksAddress.Ip(var ip, _) && ip.getAddress().length == 4) {
            return ip.getAddress();
        }
        throw new IllegalArgumentException(
                "address: " + address + " (expected: an IPv4 address, as SOCKS 4 has no other)");
    }
}
