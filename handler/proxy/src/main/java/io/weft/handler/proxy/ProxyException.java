package io.weft.handler.proxy;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A connection could not be made through a proxy.
public sealed class ProxyException extends IOException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // not serialized by anybody
    private final @Nullable ProxyServer proxy;

    private ProxyException(@Nullable ProxyServer proxy, String message, @Nullable Throwable cause) {
        super("proxy " + proxy + ": " + message, cause);
        this.proxy = proxy;
    }

    /// The proxy that it failed at, of a chain too.
    public @Nullable ProxyServer proxy() {
        return proxy;
    }

    /// The proxy cannot be reached, the connection to it broke, or its TLS failed.
    public static final class Unreachable extends ProxyException {
        private static final long serialVersionUID = 1L;

        Unreachable(ProxyServer proxy, String message, @Nullable Throwable cause) {
            super(proxy, message, cause);
        }
    }

    /// The proxy refuses the connection.
    public static final class Refused extends ProxyException {
        private static final long serialVersionUID = 1L;

        private final int code;

        Refused(ProxyServer proxy, int code, String answer) {
            super(proxy, "refused: " + answer, null);
            this.code = code;
        }

        /// The proxy's answer: a status of HTTP, or a code of SOCKS 4 (91 to 93) or 5 (1 to 8).
        public int code() {
            return code;
        }
    }

    /// The proxy asks for a login, or refuses the one that was given.
    public static final class AuthenticationFailed extends ProxyException {
        private static final long serialVersionUID = 1L;

        AuthenticationFailed(ProxyServer proxy, String answer) {
            super(proxy, "authentication failed: " + answer, null);
        }
    }

    /// The proxy's answer is malformed.
    public static final class Malformed extends ProxyException {
        private static final long serialVersionUID = 1L;

        Malformed(ProxyServer proxy, Throwable cause) {
            super(proxy, "malformed answer: " + cause.getMessage(), cause);
        }
    }

    /// The proxy did not answer in time.
    public static final class TimedOut extends ProxyException {
        private static final long serialVersionUID = 1L;

        TimedOut(ProxyServer proxy, String message) {
            super(proxy, message, null);
        }
    }

    /// The destination cannot be asked for: its name is unknown here, or the protocol has no room
    /// for it.
    public static final class BadDestination extends ProxyException {
        private static final long serialVersionUID = 1L;

        BadDestination(ProxyServer proxy, Throwable cause) {
            super(proxy, "destination: " + cause.getMessage(), cause);
        }
    }
}
