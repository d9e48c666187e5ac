package io.weft.http.http2;

import java.util.function.LongSupplier;

/// A bucket of credit that refills steadily. Everything that a peer makes this side do for nothing
/// costs some of it.
final class Budget {
    private final String what;
    private final int capacity;
    private final double perNano;
    private final LongSupplier clock;
    private double credit;
    private long since;

    /// @param nanos in which it refills
    Budget(String what, int capacity, long nanos, LongSupplier clock) {
        this.what = what;
        this.capacity = capacity;
        this.perNano = (double) capacity / nanos;
        this.clock = clock;
        this.credit = capacity;
        this.since = clock.getAsLong();
    }

    /// @throws Http2Exception when there is not so much left
    void spend(int cost) {
        if (credit < cost) {
            long now = clock.getAsLong();
            credit = Math.min(capacity, credit + (now - since) * perNano);
            since = now;
            if (credit < cost) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM,
                        what + ": too many (expected: at most " + capacity + " in a period)");
            }
        }
        credit -= cost;
    }

    /// Gives some back.
    void earn(int cost) {
        credit = Math.min(capacity, credit + cost);
    }
}
