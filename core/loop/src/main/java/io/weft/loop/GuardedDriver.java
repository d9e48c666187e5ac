package io.weft.loop;

import io.weft.loop.guard.Faults;
import java.util.concurrent.locks.LockSupport;

/// Calls a driver and survives whatever it throws.
final class GuardedDriver implements LoopDriver {
    static final long PAUSE_NANOS = 1_000_000;

    private final LoopDriver driver;
    private int failedPolls;

    GuardedDriver(LoopDriver driver) {
        this.driver = driver;
    }

    @Override
    public void start() {
        try {
            driver.start();
        } catch (Throwable t) {
            Faults.report("a driver's start threw", t);
        }
    }

    @Override
    public void poll(long timeoutNanos) {
        try {
            driver.poll(timeoutNanos);
            failedPolls = 0;
        } catch (Throwable t) {
            pollFailed(t);
        }
    }

    /// A driver that cannot poll must neither fill the disk nor burn the processor: it is reported
    /// at the 1st, 2nd, 4th, 8th ... failure in a row, and from the 2nd on the loop rests for a
    /// millisecond.
    private void pollFailed(Throwable t) {
        failedPolls = Math.max(failedPolls + 1, 1);
        if (Integer.bitCount(failedPolls) == 1) {
            Faults.report("a driver's poll threw", t);
        }
        if (failedPolls > 1) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    @Override
    public void wakeup() {
        try {
            driver.wakeup();
        } catch (Throwable t) {
            Faults.report("a driver's wakeup threw", t);
        }
    }

    @Override
    public void shuttingDown() {
        try {
            driver.shuttingDown();
        } catch (Throwable t) {
            Faults.report("a driver's shuttingDown threw", t);
        }
    }

    @Override
    public boolean yields() {
        try {
            return driver.yields();
        } catch (Throwable t) {
            Faults.report("a driver's yields threw", t);
            return false;
        }
    }

    @Override
    public boolean isIdle() {
        try {
            return driver.isIdle();
        } catch (Throwable t) {
            Faults.report("a driver's isIdle threw", t);
            return true;
        }
    }

    @Override
    public void close() {
        try {
            driver.close();
        } catch (Throwable t) {
            Faults.report("a driver's close threw", t);
        }
    }
}
