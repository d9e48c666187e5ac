package io.weft.codec.socks;

/// A method of authentication (RFC 1928, 3).
///
/// @param code 0 to 255
public record Socks5Method(int code) {
    public static final Socks5Method NO_AUTHENTICATION = new Socks5Method(0);

    /// GSS-API (RFC 1961); see [Socks5GssMessage].
    public static final Socks5Method GSSAPI = new Socks5Method(1);

    /// A name and a password in the clear (RFC 1929).
    public static final Socks5Method PASSWORD = new Socks5Method(2);

    /// A server's answer that ends the negotiation.
    public static final Socks5Method NO_ACCEPTABLE = new Socks5Method(0xFF);

    /// @throws IllegalArgumentException when the code is out of range
    public Socks5Method {
        SocksText.requireByte("code", code);
    }

    /// Tells if the method is reserved for private use (0x80 to 0xFE).
    public boolean isPrivate() {
        return code >= 0x80 && code < 0xFF;
    }

    @Override
    public String toString() {
        return switch (code) {
            case 0 -> "no authentication";
            case 1 -> "GSSAPI";
            case 2 -> "username/password";
            case 0xFF -> "no acceptable methods";
            default -> "method " + code;
        };
    }
}
