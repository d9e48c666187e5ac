package io.weft.codec.socks;

/// A request of SOCKS 5 (RFC 1928, 4).
public record Socks5Request(SocksCommand command, SocksAddress destination)
        implements SocksRequest {
    @Override
    public Socks5Reply granted(SocksAddress bound) {
        return new Socks5Reply(Socks5Status.SUCCEEDED, bound);
    }

    @Override
    public Socks5Reply refused(Socks5Status reason) {
        return Socks5Reply.of(reason);
    }
}
