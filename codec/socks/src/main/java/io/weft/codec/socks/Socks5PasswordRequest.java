package io.weft.codec.socks;

/// A name and a password (RFC 1929), in UTF-8.
///
/// @param username 1 to 255 bytes
/// @param password up to 255 bytes; RFC 1929 asks for one at least, curl sends none where it has
///     none
public record Socks5PasswordRequest(String username, String password)
        implements SocksClientMessage {
    /// @throws IllegalArgumentException when a length is out of range
    public Socks5PasswordRequest {
        SocksText.requireLength("username", username, 1);
        // The value of a password is not for messages.
        int length = SocksText.utf8Length(password);
        if (length > 255) {
            throw new IllegalArgumentException(
                    "bytes of the password: " + length + " (expected: at most 255)");
        }
    }

    /// Without the password.
    @Override
    public String toString() {
        return "Socks5PasswordRequest[username=" + username + "]";
    }
}
