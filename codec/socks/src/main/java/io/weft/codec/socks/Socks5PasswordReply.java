package io.weft.codec.socks;

/// The answer to a [Socks5PasswordRequest].
///
/// @param status 0 for success, up to 255 for a failure; the server closes behind it
public record Socks5PasswordReply(int status) implements SocksServerMessage {
    public static final Socks5PasswordReply SUCCESS = new Socks5PasswordReply(0);
    public static final Socks5PasswordReply FAILURE = new Socks5PasswordReply(1);

    /// @throws IllegalArgumentException when the status is out of range
    public Socks5PasswordReply {
        SocksText.requireByte("status", status);
    }

    public boolean isSuccess() {
        return status == 0;
    }
}
