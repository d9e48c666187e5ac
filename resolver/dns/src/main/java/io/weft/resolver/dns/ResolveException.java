package io.weft.resolver.dns;

import io.weft.codec.dns.ResponseCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A question to which there is no answer now; that a name does not exist is an answer.
public final class ResolveException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The kind of failure.
    public enum Reason {
        /// No server answered in time.
        TIMEOUT,
        /// A server could not be reached, or the connection ended.
        CONNECTION,
        /// TLS did not come about, or the server is not the one expected.
        TLS,
        /// The servers refused, or failed themselves.
        SERVER,
        /// The servers know nothing of the name, and do not ask others.
        LAME,
        /// Aliases that lead in a circle, or too far.
        ALIASES,
        /// The configuration has no server for the name.
        NO_SERVER,
        /// Too many questions wait already.
        OVERLOADED,
        /// The resolver is closed.
        CLOSED
    }

    private final Reason reason;
    private final transient @Nullable ResponseCode code;

    ResolveException(Reason reason, String message) {
        this(reason, null, message, null);
    }

    ResolveException(Reason reason, String message, @Nullable Throwable cause) {
        this(reason, null, message, cause);
    }

    ResolveException(
            Reason reason, @Nullable ResponseCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.code = code;
    }

    public Reason reason() {
        return reason;
    }

    /// The response code of the last server that responded; null where none did.
    public @Nullable ResponseCode code() {
        return code;
    }
}
