package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The server's side of one authentication by a mechanism of SASL (RFC 4422). Used by one thread at
/// a time.
public interface SaslServer {
    /// A mechanism that a server offers.
    ///
    /// @param name in upper case, as in AUTH
    /// @param exchanges makes the server's side of each authentication
    record Mechanism(String name, Supplier<? extends SaslServer> exchanges) {
        public Mechanism {
            var _ = new SmtpCommand.Auth(name, null); // checks the name
        }
    }

    /// PLAIN (RFC 4616).
    Mechanism PLAIN = new Mechanism("PLAIN", Plain::new);

    /// LOGIN, which asks for the name and the password.
    Mechanism LOGIN = new Mechanism("LOGIN", Login::new);

    /// Begins.
    ///
    /// @param initial the initial response; null if there is none
    SaslStep begin(byte @Nullable [] initial);

    /// Goes on with the response to a challenge.
    SaslStep respond(byte[] response);

    /// The exchange of PLAIN.
    final class Plain implements SaslServer {
        private Plain() {}

        @Override
        public SaslStep begin(byte @Nullable [] initial) {
            return initial == null ? new SaslStep.Challenge(new byte[0]) : respond(initial);
        }

        @Override
        public SaslStep respond(byte[] response) {
            String[] parts = new String(response, UTF_8).split("\0", -1);
            return parts.length == 3 && !parts[1].isEmpty()
                    ? new SaslStep.Verify(parts[0], parts[1], parts[2])
                    : new SaslStep.Failed();
        }
    }

    /// The exchange of LOGIN.
    final class Login implements SaslServer {
        private @Nullable String user;

        private Login() {}

        @Override
        public SaslStep begin(byte @Nullable [] initial) {
            return initial == null
                    ? new SaslStep.Challenge("Username:".getBytes(UTF_8))
                    : respond(initial);
        }

        @Override
        public SaslStep respond(byte[] response) {
            String text = new String(response, UTF_8);
            if (user == null) {
                user = text;
                return new SaslStep.Challenge("Password:".getBytes(UTF_8));
            }
            return new SaslStep.Verify("", user, text);
        }
    }
}
