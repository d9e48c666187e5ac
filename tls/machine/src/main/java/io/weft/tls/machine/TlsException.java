package io.weft.tls.machine;

import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A connection that cannot go on as TLS, and why. After one the engine takes nothing more.
///
/// Those that a peer causes carry no stack trace: it causes them as often as it likes.
public abstract sealed class TlsException extends SSLException {
    private static final long serialVersionUID = 1L;

    private TlsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /// The first bytes are of another protocol: plain HTTP on a port of TLS, say, or SSL 2.
    public static final class NotTls extends TlsException {
        private static final long serialVersionUID = 1L;

        public NotTls(String message) {
            super(message, null);
        }
    }

    /// A record whose header no record has, or that is larger than RFC 8446 section 5 allows.
    public static final class BadRecord extends TlsException {
        private static final long serialVersionUID = 1L;

        public BadRecord(String message) {
            super(message, null);
        }
    }

    /// The peer ended the connection with an alert.
    public static final class AlertReceived extends TlsException {
        private static final long serialVersionUID = 1L;
        private final TlsAlert alert;

        public AlertReceived(TlsAlert alert, @Nullable Throwable cause) {
            super("the peer sent alert " + alert.description(), cause);
            this.alert = alert;
        }

        public TlsAlert alert() {
            return alert;
        }
    }

    /// The peer's messages break the protocol, or nothing is agreed on: it was sent an alert.
    public static final class AlertSent extends TlsException {
        private static final long serialVersionUID = 1L;
        private final TlsAlert alert;

        public AlertSent(TlsAlert alert, String message, @Nullable Throwable cause) {
            super(message + " (alert " + alert.description() + ")", cause);
            this.alert = alert;
        }

        public TlsAlert alert() {
            return alert;
        }
    }

    /// The peer's certificate is not accepted.
    public static final class CertificateRefused extends TlsException {
        private static final long serialVersionUID = 1L;
        private final CertificateFault fault;

        public CertificateRefused(
                CertificateFault fault, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.fault = fault;
        }

        public CertificateFault fault() {
            return fault;
        }
    }

    /// The client asks for a host that this server does not serve (`unrecognized_name`), or does
    /// not say which.
    public static final class UnknownServerName extends TlsException {
        private static final long serialVersionUID = 1L;

        public UnknownServerName(String message) {
            super(message, null);
        }
    }

    /// The connection ended without the peer's close_notify: what it said may be cut short (RFC
    /// 8446 section 6.1).
    public static final class Truncated extends TlsException {
        private static final long serialVersionUID = 1L;

        public Truncated(String message) {
            super(message, null);
        }
    }

    /// A handshake that took too long.
    public static final class HandshakeTimeout extends TlsException {
        private static final long serialVersionUID = 1L;

        public HandshakeTimeout(Duration timeout) {
            super("no handshake within " + timeout, null);
        }
    }

    /// The peer wants to negotiate again, which is refused.
    public static final class Renegotiation extends TlsException {
        private static final long serialVersionUID = 1L;

        public Renegotiation() {
            super("the peer wants to renegotiate (expected: application data)", null);
        }
    }

    /// One of the limits that `docs/limits.md` lists.
    public static final class LimitReached extends TlsException {
        private static final long serialVersionUID = 1L;

        public LimitReached(String message) {
            super(message, null);
        }
    }

    /// Input came in another form than bytes, such as descriptors of a Unix domain socket. TLS
    /// protects bytes only: an attacker on the path, or an unauthenticated peer, may have sent it.
    public static final class Unprotected extends TlsException {
        private static final long serialVersionUID = 1L;

        public Unprotected(String message) {
            super(message, null);
        }
    }

    /// Anything else: a fault of the engine or of a trust manager.
    public static final class Failed extends TlsException {
        private static final long serialVersionUID = 1L;

        public Failed(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
