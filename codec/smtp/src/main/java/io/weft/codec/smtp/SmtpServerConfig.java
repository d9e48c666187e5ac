package io.weft.codec.smtp;

import java.util.List;

/// Settings of a server.
///
/// @param host the server's name, in its greeting
/// @param startTls if TLS is offered
/// @param requireTls if mail is taken over TLS only
/// @param requireAuth if mail is taken from users who authenticated only
/// @param authInClear if mechanisms are offered without TLS
/// @param mechanisms of AUTH, best first; none switches it off
/// @param bare treatment of CR and LF alone in contents
public record SmtpServerConfig(
        MailHost host,
        SmtpLimits limits,
        boolean startTls,
        boolean requireTls,
        boolean requireAuth,
        boolean authInClear,
        List<SaslServer.Mechanism> mechanisms,
        BareLineEnds bare) {
    public SmtpServerConfig {
        mechanisms = List.copyOf(mechanisms);
        if ((requireTls && !startTls) || (requireAuth && mechanisms.isEmpty())) {
            throw new IllegalArgumentException(
                    "requireTls, requireAuth: required (expected: offered as well)");
        }
    }

    /// A server without TLS and AUTH.
    public static SmtpServerConfig of(String host) {
        return new SmtpServerConfig(
                MailHost.of(host),
                SmtpLimits.DEFAULT,
                false,
                false,
                false,
                false,
                List.of(),
                BareLineEnds.REFUSE);
    }

    /// The same with other limits.
    public SmtpServerConfig withLimits(SmtpLimits other) {
        return new SmtpServerConfig(
                host, other, startTls, requireTls, requireAuth, authInClear, mechanisms, bare);
    }

    /// The same with STARTTLS.
    ///
    /// @param required if mail is taken over TLS only
    public SmtpServerConfig withTls(boolean required) {
        return new SmtpServerConfig(
                host, limits, true, required, requireAuth, authInClear, mechanisms, bare);
    }

    /// The same with AUTH.
    ///
    /// @param required if mail is taken from users who authenticated only
    /// @param inClear if also without TLS
    public SmtpServerConfig withAuth(
            boolean required, boolean inClear, SaslServer.Mechanism... others) {
        return new SmtpServerConfig(
                host, limits, startTls, requireTls, required, inClear, List.of(others), bare);
    }

    /// The same with another treatment of CR and LF alone.
    public SmtpServerConfig withBareLineEnds(BareLineEnds other) {
        return new SmtpServerConfig(
                host, limits, startTls, requireTls, requireAuth, authInClear, mechanisms, other);
    }
}
