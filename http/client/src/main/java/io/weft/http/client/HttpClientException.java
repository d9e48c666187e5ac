package io.weft.http.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request that has no response, or whose response is not whole, and why. It tells the
/// [origin][#origin] it was sent to and the [stage][#stage] it failed in.
public abstract sealed class HttpClientException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The steps of a request.
    public enum Stage {
        /// A connection of the pool was waited for.
        POOL,
        /// The connection was being made.
        CONNECT,
        /// A proxy was asked for a tunnel.
        PROXY,
        /// TLS was negotiated.
        TLS,
        /// The request was being sent.
        SEND,
        /// The response's head was waited for.
        HEAD,
        /// The response's body was being received.
        BODY
    }

    private final transient Origin origin;
    private final Stage stage;

    private HttpClientException(
            Origin origin, Stage stage, String what, @Nullable Throwable cause) {
        super(origin + ": " + what, cause);
        this.origin = origin;
        this.stage = stage;
    }

    public Origin origin() {
        return origin;
    }

    public Stage stage() {
        return stage;
    }

    /// There is no connection: no such name, nobody listens, no agreement on TLS, a proxy that
    /// refuses. The cause says which.
    public static final class ConnectFailed extends HttpClientException {
        private static final long serialVersionUID = 1L;

        ConnectFailed(Origin origin, Stage stage, String what, @Nullable Throwable cause) {
            super(origin, stage, what, cause);
        }
    }

    /// Something took longer than the limits allow.
    public static final class TimedOut extends HttpClientException {
        private static final long serialVersionUID = 1L;

        TimedOut(Origin origin, Stage stage, Duration most) {
            this(origin, stage, most, "");
        }

        /// @param why behind the rest of the message
        TimedOut(Origin origin, Stage stage, Duration most, String why) {
            super(
                    origin,
                    stage,
                    "time-out in stage " + stage + " (expected: within " + most + ")" + why,
                    null);
        }
    }

    /// The connection ended before the response did.
    public static final class Disconnected extends HttpClientException {
        private static final long serialVersionUID = 1L;

        Disconnected(Origin origin, Stage stage, @Nullable Throwable cause) {
            super(
                    origin,
                    stage,
                    "the connection ended in stage "
                            + stage
                            + (cause == null ? "" : " by " + cause)
                            + " (expected: a whole response)",
                    cause);
        }
    }

    /// The response breaks the protocol, or a content coding.
    public static final class Malformed extends HttpClientException {
        private static final long serialVersionUID = 1L;

        Malformed(Origin origin, Stage stage, Throwable cause) {
            super(origin, stage, String.valueOf(cause.getMessage()), cause);
        }
    }

    /// The body is larger than the limits allow, as it is or decompressed.
    public static final class TooLarge extends HttpClientException {
        private static final long serialVersionUID = 1L;

        TooLarge(Origin origin, String what, @Nullable Throwable cause) {
            super(origin, Stage.BODY, what, cause);
        }
    }

    /// A redirect cannot be followed: there were too many, or its target is no URL.
    public static final class RedirectFailed extends HttpClientException {
        private static final long serialVersionUID = 1L;

        RedirectFailed(Origin origin, String what) {
            super(origin, Stage.HEAD, what, null);
        }
    }

    /// The request cannot be sent as it is: its fields contradict each other, or its body failed.
    public static final class Unsendable extends HttpClientException {
        private static final long serialVersionUID = 1L;

        Unsendable(Origin origin, Throwable cause) {
            super(origin, Stage.SEND, String.valueOf(cause.getMessage()), cause);
        }
    }

    /// The server has agreed to another protocol, but not as was asked for; the cause tells.
    public static final class UpgradeFailed extends HttpClientException {
        private static final long serialVersionUID = 1L;

        UpgradeFailed(Origin origin, Throwable cause) {
            super(origin, Stage.HEAD, "upgrade: " + cause.getMessage(), cause);
        }
    }

    /// The client takes no more requests: too many wait, or it is closed.
    public static final class Rejected extends HttpClientException {
        private static final long serialVersionUID = 1L;

        Rejected(Origin origin, String what) {
            super(origin, Stage.POOL, what, null);
        }
    }

    /// The application gave the request or its response up.
    public static final class Cancelled extends HttpClientException {
        private static final long serialVersionUID = 1L;

        Cancelled(Origin origin, Stage stage) {
            super(origin, stage, "cancelled in stage " + stage, null);
        }
    }
}
