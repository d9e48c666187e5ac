package io.weft.http.client;

import java.time.Duration;

/// The streams of one connection that this side resets, by periods. Servers count them, since an
/// attack looks alike, and end the connection with all its requests. Thread: the loop.
final class ResetRate {
    private static final long PERIOD = Duration.ofSeconds(10).toNanos();

    private final int most;
    private boolean begun;

    /// When the period began, and what had been reset before.
    private long since;

    private long before;

    /// @param most resets in a period
    ResetRate(int most) {
        this.most = most;
    }

    /// Tells if further requests should go by another connection.
    ///
    /// @param resets since the connection began
    /// @param now nanoseconds
    boolean isHigh(long resets, long now) {
        if (!begun || now - since >= PERIOD) {
            begun = true;
            since = now;
            before = resets;
        }
        return resets - before >= most;
    }
}
