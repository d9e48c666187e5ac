package io.weft.codec.smtp;

import org.jspecify.annotations.Nullable;

/// Settings of a client.
///
/// @param host the client's name, in its greeting
/// @param tls when STARTTLS is used
/// @param credentials for AUTH, which is then required; null for none
/// @param authInClear if credentials may be sent without TLS
/// @param chunks if content goes by BDAT where the server offers CHUNKING
public record SmtpClientConfig(
        MailHost host,
        SmtpLimits limits,
        Tls tls,
        @Nullable SaslClient credentials,
        boolean authInClear,
        boolean chunks) {
    /// Uses of STARTTLS.
    public enum Tls {
        /// Not used.
        NEVER,
        /// Used if offered: whoever sits in the middle can prevent it.
        IF_OFFERED,
        /// Used, or the session fails.
        REQUIRED
    }

    /// A client that uses TLS where it is offered.
    public static SmtpClientConfig of(String host) {
        return new SmtpClientConfig(
                MailHost.of(host), SmtpLimits.DEFAULT, Tls.IF_OFFERED, null, false, false);
    }

    /// The same with another use of STARTTLS.
    public SmtpClientConfig withTls(Tls other) {
        return new SmtpClientConfig(host, limits, other, credentials, authInClear, chunks);
    }

    /// The same with credentials.
    ///
    /// @param inClear if they may be sent without TLS
    public SmtpClientConfig withCredentials(SaslClient other, boolean inClear) {
        return new SmtpClientConfig(host, limits, tls, other, inClear, chunks);
    }

    /// The same with BDAT for contents or not.
    public SmtpClientConfig withChunks(boolean other) {
        return new SmtpClientConfig(host, limits, tls, credentials, authInClear, other);
    }
}
