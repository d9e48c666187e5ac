package io.weft.codec.smtp;

/// Next step of an authentication, as the server's side wants it.
public sealed interface SaslStep {
    /// A challenge for the client.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Challenge(byte[] bytes) implements SaslStep {}

    /// A user's name and password, for the application to check.
    ///
    /// @param authorization the identity to act as; empty for that of `user`
    record Verify(String authorization, String user, String password) implements SaslStep {
        /// Without the password.
        @Override
        public String toString() {
            return "Verify[" + user + "]";
        }
    }

    /// The client has proved to be `user`.
    record Authenticated(String user) implements SaslStep {}

    /// It has not.
    record Failed() implements SaslStep {}
}
