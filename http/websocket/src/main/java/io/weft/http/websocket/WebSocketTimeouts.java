package io.weft.http.websocket;

import java.time.Duration;

/// Deadlines of a WebSocket connection.
///
/// @param handshake of a client, from the connection to the server's answer
/// @param close from a close frame that was sent to the end of the connection
/// @param ping silence after which a ping is sent; as much again without a byte ends the
///     connection. Time in which input is not read, as after [WebSocket#pause], is no silence.
///     Zero for no pings
/// @param stall time in which the peer has to take some of what waits for it, while so much does
///     that the channel is not writable
public record WebSocketTimeouts(Duration handshake, Duration close, Duration ping, Duration stall) {
    public static final WebSocketTimeouts DEFAULT =
            new WebSocketTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ZERO);

    /// @throws IllegalArgumentException unless `handshake`, `close` and `stall` are positive and
    ///     `ping` is not negative
    public WebSocketTimeouts {
        if (!handshake.isPositive()
                || !close.isPositive()
                || ping.isNegative()
                || !stall.isPositive()) {
            throw new IllegalArgumentException(
                    "handshake, close, ping, stall: "
                            + handshake
                            + ", "
                            + close
                            + ", "
                            + ping
                            + ", "
                            + stall
                            + " (expected: > 0, > 0, >= 0, > 0)");
        }
    }

    /// With 30 seconds for a peer that takes nothing.
    public WebSocketTimeouts(Duration handshake, Duration close, Duration ping) {
        this(handshake, close, ping, Duration.ofSeconds(30));
    }

    public WebSocketTimeouts handshake(Duration timeout) {
        return new WebSocketTimeouts(timeout, close, ping, stall);
    }

    public WebSocketTimeouts close(Duration timeout) {
        return new WebSocketTimeouts(handshake, timeout, ping, stall);
    }

    public WebSocketTimeouts ping(Duration silence) {
        return new WebSocketTimeouts(handshake, close, silence, stall);
    }

    public WebSocketTimeouts stall(Duration timeout) {
        return new WebSocketTimeouts(handshake, close, ping, timeout);
    }
}
