package io.weft.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/// Values of Authorization and Proxy-Authorization.
///
/// ```java
/// request.withHeader("authorization", Credentials.bearer(token))
/// ```
///
/// A client that follows a redirect to another origin leaves them out.
public final class Credentials {
    private Credentials() {}

    /// Basic (RFC 7617): anyone who reads it has the password, so only over TLS.
    ///
    /// @throws IllegalArgumentException for a user with a colon, and for controls
    public static String basic(String user, String password) {
        String both = user + ":" + password;
        if (user.indexOf(':') >= 0 || both.chars().anyMatch(c -> c < 0x20 || c == 0x7F)) {
            throw new IllegalArgumentException(
                    "user or password: has a control or a colon (expected: none; RFC 7617, 2)");
        }
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
    }

    /// Bearer (RFC 6750).
    ///
    /// @throws IllegalArgumentException unless the token is of `A-Z a-z 0-9 - . _ ~ + /`, then `=`
    public static String bearer(String token) {
        if (!token.matches("[A-Za-z0-9._~+/-]+=*")) {
            throw new IllegalArgumentException(
                    "token: other characters (expected: those of RFC 6750, 2.1)");
        }
        return "Bearer " + token;
    }
}
