package io.weft.tls.machine;

import java.time.Duration;

/// Time-outs of a connection, for what runs its engine, such as `TlsHandler`.
///
/// @param handshake from its start to its end; positive
/// @param closeNotifyFlush at a close, until close_notify and what was flushed before are sent;
///     positive
/// @param closeNotifyRead after that, for the peer's close_notify; zero does not wait for it
public record TlsTimeouts(Duration handshake, Duration closeNotifyFlush, Duration closeNotifyRead) {
    /// 10 s, 3 s, and no wait for the peer's close_notify.
    public static final TlsTimeouts DEFAULT =
            new TlsTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ZERO);

    public TlsTimeouts {
        if (!handshake.isPositive() || !closeNotifyFlush.isPositive()) {
            throw new IllegalArgumentException(
                    "handshake, closeNotifyFlush: "
                            + handshake
                            + ", "
                            + closeNotifyFlush
                            + " (expected: > 0)");
        }
        if (closeNotifyRead.isNegative()) {
            throw new IllegalArgumentException(
                    "closeNotifyRead: " + closeNotifyRead + " (expected: >= 0)");
        }
    }
}
