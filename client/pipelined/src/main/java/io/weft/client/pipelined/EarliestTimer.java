package io.weft.client.pipelined;

import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One timer for many calls: it runs at the earliest deadline that it was given since it ran last.
/// Under a lock, or on one loop.
final class EarliestTimer {
    private final EventExecutor executor;

    /// Calls [#ran] first, and [#arm] for the calls that are left.
    private final Runnable task;

    /// Null if none runs.
    private @Nullable Timeout timeout;

    /// Nanoseconds of the clock at which it runs.
    private long deadline;

    EarliestTimer(EventExecutor executor, Runnable task) {
        this.executor = executor;
        this.task = task;
    }

    /// Has the timer run at a deadline, unless it runs before.
    ///
    /// @param at nanoseconds of the executor's clock
    /// @throws RejectedExecutionException if the executor takes no timer; the one before stays
    void arm(long at) {
        Timeout running = timeout;
        if (running != null && at - deadline >= 0) {
            return;
        }
        long left = Math.max(0, at - executor.clock().nanoTime());
        timeout = executor.scheduleCoarse(task, left, TimeUnit.NANOSECONDS);
        deadline = at;
        if (running != null) {
            running.cancel();
        }
    }

    /// Its task runs.
    void ran() {
        timeout = null;
    }
}
