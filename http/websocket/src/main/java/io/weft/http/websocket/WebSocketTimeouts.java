package io.weft.http.websocket;

import java.time.Duration;

/// Deadlines of a WebSocket connection.
///
/// @param handshake of a client, from the connection to the server's answer
/// @param close from a close frame that was sent to the end of the connection
/// @param ping silence after which a ping is sent; as much again without a byte ends the
///     connection. Zero for no pings
public record WebSocketTimeouts(Duration handshake, Duration close, Duration ping) {
    public static final WebSocketTimeouts DEFAULT =
            new WebSocketTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ZERO);

    /// @throws IllegalArgumentException unless `handshake` and `close` are positive and `ping` is
    ///     not negative
    public WebSocketTimeouts {
        if (!handshake.isPositive() || !close.isPositive() || ping.isNegative()) {
            throw new IllegalArgumentException(
                    "handshake, close, ping: "
                            + handshake
                            + ", "
                            + close
                            + ", "
                            + ping
                            + " (expected: > 0, > 0, >= 0)");
        }
    }

    public WebSocketTimeouts handshake(Duration timeout) {
        return new WebSocketTimeouts(timeout, close, ping);
    }

    public WebSocketTimeouts close(Duration timeout) {
        return new WebSocketTimeouts(handshake, timeout, ping);
    }

    public WebSocketTimeouts ping(Duration silence) {
        return new WebSocketTimeouts(handshake, close, silence);
    }
}
