package io.weft.codec.socks;

/// The code of a [Socks5Reply] (RFC 1928, 6).
///
/// @param code 0 to 255
public record Socks5Status(int code) {
    public static final Socks5Status SUCCEEDED = new Socks5Status(0);
    public static final Socks5Status GENERAL_FAILURE = new Socks5Status(1);
    public static final Socks5Status NOT_ALLOWED = new Socks5Status(2);
    public static final Socks5Status NETWORK_UNREACHABLE = new Socks5Status(3);
    public static final Socks5Status HOST_UNREACHABLE = new Socks5Status(4);
    public static final Socks5Status CONNECTION_REFUSED = new Socks5Status(5);
    public static final Socks5Status TTL_EXPIRED = new Socks5Status(6);
    public static final Socks5Status COMMAND_NOT_SUPPORTED = new Socks5Status(7);
    public static final Socks5Status ADDRESS_TYPE_NOT_SUPPORTED = new Socks5Status(8);

    /// @throws IllegalArgumentException when the code is out of range
    public Socks5Status {
        SocksText.requireByte("code", code);
    }

    public boolean isSucceeded() {
        return code == 0;
    }

    @Override
    public String toString() {
        return switch (code) {
            case 0 -> "succeeded";
            case 1 -> "general SOCKS server failure";
            case 2 -> "connection not allowed by ruleset";
            case 3 -> "network unreachable";
            case 4 -> "host unreachable";
            case 5 -> "connection refused";
            case 6 -> "TTL expired";
            case 7 -> "command not supported";
            case 8 -> "address type not supported";
            default -> "status " + code;
        };
    }
}
