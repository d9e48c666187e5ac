package io.weft.blocking;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Lets one thread at a time wait for what others bring about.
///
/// The condition is looked at and changed under one lock, by the waiting thread after it has said
/// that it waits, by the others before they [wake][#wake] it; so one of the two sees the other.
final class Waiter {
    private volatile @Nullable Thread thread;

    /// @param timeout zero for none
    /// @return false when the time is over first
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        if (condition.getAsBoolean()) {
            return true;
        }
        long start = System.nanoTime();
        long limit = saturated(timeout);
        thread = Thread.currentThread();
        try {
            while (!condition.getAsBoolean()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (limit == 0) {
                    LockSupport.park(this);
                    continue;
                }
                long left = limit - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return true;
        } finally {
            thread = null;
        }
    }

    private static long saturated(Duration timeout) {
        return timeout.compareTo(Duration.ofDays(36_500)) < 0 ? timeout.toNanos() : 0;
    }

    void wake() {
        LockSupport.unpark(thread);
    }
}
