package io.weft.loop.guard;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The rest that the watchdog takes while every loop waits: it has nothing to look at then, and a
/// process without work is to take no processor time. A loop that goes on ends it.
///
/// A loop that goes on at the moment at which the rest begins may be missed, since it writes its
/// [Pulse] without a fence. It is seen when the rest is over by itself, which is why rests are
/// short.
public final class Rest {
    /// The rest of the watchdog of this JVM.
    public static final Rest OF_WATCHDOG = new Rest();

    private volatile @Nullable Thread resting;

    /// Rests on the caller's thread.
    ///
    /// @param allWait is asked once more when loops can end the rest
    /// @param mostNanos how long, at most
    /// @return false if the rest was as long as it may be
    public boolean take(BooleanSupplier allWait, long mostNanos) {
        long end = System.nanoTime() + mostNanos;
        resting = Thread.currentThread();
        try {
            while (resting != null && allWait.getAsBoolean()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return true;
        } finally {
            resting = null;
        }
    }

    /// Ends the rest, if one is taken. Any thread.
    public void end() {
        Thread sleeper = resting;
        if (sleeper != null) {
            resting = null;
            LockSupport.unpark(sleeper);
        }
    }
}
