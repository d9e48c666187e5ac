package io.weft.loop;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Parks the loop's thread. The permit that `unpark` leaves behind makes a wake-up that comes first
/// stick.
final class ParkDriver implements LoopDriver {
    private volatile @Nullable Thread thread;

    @Override
    public void start() {
        thread = Thread.currentThread();
    }

    @Override
    public void poll(long timeoutNanos) {
        if (timeoutNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, timeoutNanos); // returns at once for 0
        }
    }

    @Override
    public boolean yields() {
        return true;
    }

    @Override
    public void wakeup() {
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {}
}
