package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/// The client's side of authentications by a mechanism of SASL (RFC 4422). Used by one thread at a
/// time; [#initial] begins each authentication.
public interface SaslClient {
    /// The mechanism's name, in upper case.
    String mechanism();

    /// The initial response; null if the mechanism has none.
    byte @Nullable [] initial();

    /// The response to a challenge; null to give up.
    byte @Nullable [] respond(byte[] challenge);

    /// PLAIN (RFC 4616): shows the password to the server, so only over TLS.
    static SaslClient plain(String user, String password) {
        return new OneResponse("PLAIN", "\0" + noNul(user) + "\0" + noNul(password));
    }

    /// LOGIN, for servers without PLAIN.
    static SaslClient login(String user, String password) {
        return new Login(noNul(user), noNul(password));
    }

    /// XOAUTH2, with a bearer token.
    static SaslClient bearer(String user, String token) {
        return new OneResponse(
                "XOAUTH2", "user=" + noNul(user) + "\1auth=Bearer " + noNul(token) + "\1\1");
    }

    private static String noNul(String text) {
        if (text.indexOf('\0') >= 0 || text.indexOf('\1') >= 0) {
            throw new IllegalArgumentException("credentials: a control (expected: text)");
        }
        return text;
    }

    /// A mechanism whose client says all at once.
    final class OneResponse implements SaslClient {
        private final String mechanism;
        private final byte[] response;

        private OneResponse(String mechanism, String response) {
            this.mechanism = mechanism;
            this.response = response.getBytes(UTF_8);
        }

        @Override
        public String mechanism() {
            return mechanism;
        }

        @Override
        public byte[] initial() {
            return response.clone();
        }

        @Override
        public byte @Nullable [] respond(byte[] challenge) {
            return new byte[0]; // XOAUTH2 tells an error by a challenge, and waits
        }
    }

    /// The answers to two questions.
    final class Login implements SaslClient {
        private final String user;
        private final String password;
        private int asked;

        private Login(String user, String password) {
            this.user = user;
            this.password = password;
        }

        @Override
        public String mechanism() {
            return "LOGIN";
        }

        @Override
        public byte @Nullable [] initial() {
            asked = 0;
            return null;
        }

        @Override
        public byte @Nullable [] respond(byte[] challenge) {
            return switch (asked++) {
                case 0 -> user.getBytes(UTF_8);
                case 1 -> password.getBytes(UTF_8);
                default -> null;
            };
        }
    }
}
