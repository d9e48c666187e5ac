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
/// @param message time in which another KiB of a message that has begun has to come, or its end;
///     not where messages are taken in pieces. Zero for any time
public record WebSocketTimeouts(
        Duration handshake, Duration close, Duration ping, Duration stall, Duration message) {
    public static final WebSocketTimeouts DEFAULT =
            new WebSocketTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ZERO);

    /// @throws IllegalArgumentException unless `handshake`, `close` and `stall` are positive, and
    ///     `ping` and `message` are not negative
    public WebSocketTimeouts {
        if (!handshake.isPositive()
                || !close.isPositive()
                || ping.isNegative()
                || !stall.isPositive()
                || message.isNegative()) {
            throw new IllegalArgumentException(
                    "handshake, close, ping, stall, message: "
                            + handshake
                            + ", "
                            + close
                            + ", "
                            + ping
                            + ", "
                            + stall
                            + ", "
                            + message
                            + " (expected: > 0, > 0, >= 0, > 0, >= 0)");
        }
    }

    /// With 30 seconds for a peer that takes nothing, or does not go on with its message.
    public WebSocketTimeouts(Duration handshake, Duration close, Duration ping) {
        this(handshake, close, ping, Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    public WebSocketTimeouts handshake(Duration timeout) {
        return new WebSocketTimeouts(timeout, close, ping, stall, message);
    }

    public WebSocketTimeouts close(Duration timeout) {
        return new WebSocketTimeouts(handshake, timeout, ping, stall, message);
    }

    public WebSocketTimeouts ping(Duration silence) {
        return new WebSocketTimeouts(handshake, close, silence, stall, message);
    }

    public WebSocketTimeouts stall(Duration timeout) {
        return new WebSocketTimeouts(handshake, close, ping, timeout, message);
    }

    public WebSocketTimeouts message(Duration timeout) {
        return new WebSocketTimeouts(handshake, close, ping, stall, timeout);
    }
}
