package io.weft.codec.socks;

/// The code of a [Socks4Reply].
///
/// @param code 0 to 255
public record Socks4Status(int code) {
    public static final Socks4Status GRANTED = new Socks4Status(90);

    /// Rejected, or failed.
    public static final Socks4Status REJECTED = new Socks4Status(91);

    /// The server cannot reach an identd on the client.
    public static final Socks4Status NO_IDENTD = new Socks4Status(92);

    /// The client's identd reports another user.
    public static final Socks4Status OTHER_USER = new Socks4Status(93);

    /// @throws IllegalArgumentException when the code is out of range
    public Socks4Status {
        SocksText.requireByte("code", code);
    }

    public boolean isGranted() {
        return code == 90;
    }

    @Override
    public String toString() {
        return switch (code) {
            case 90 -> "request granted";
            case 91 -> "request rejected or failed";
            case 92 -> "no identd on the client";
            case 93 -> "identd reports another user";
            default -> "status " + code;
        };
    }
}
