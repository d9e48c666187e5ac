package io.weft.codec.socks;

/// A request of SOCKS 4, or of 4a if its destination is a name.
///
/// @param command [SocksCommand#CONNECT] or [SocksCommand#BIND] for servers of this version
/// @param destination an IPv4 address that does not begin with 0.0.0, but for 0.0.0.0, or a name
///     (4a)
/// @param userId identifies the user (not verified), without NUL; may be empty
public record Socks4Request(SocksCommand command, SocksAddress destination, String userId)
        implements SocksRequest {
    /// @throws IllegalArgumentException when SOCKS 4 cannot say that
    public Socks4Request {
        SocksText.requireNoControls("userId", userId);
        if (!(destination instanceof SocksAddress.Name)) {
            byte[] ip = Socks4Reply.ipv4(destination);
            // These are the mark of 4a.
            if (ip[0] == 0 && ip[1] == 0 && ip[2] == 0 && ip[3] != 0) {
                throw new IllegalArgumentException(
                        "destination: " + destination + " (expected: not 0.0.0.1 to 0.0.0.255)");
            }
        }
    }

    public Socks4Request(SocksCommand command, SocksAddress destination) {
        this(command, destination, "");
    }

    @Override
    public Socks4Reply granted(SocksAddress bound) {
        return new Socks4Reply(Socks4Status.GRANTED, bound);
    }

    @Override
    public Socks4Reply refused(Socks5Status reason) {
        return Socks4Reply.of(Socks4Status.REJECTED);
    }
}
