package io.weft.http.client.liveness;

import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A deadline that moves more often than it is missed. To move it sets a field; the one timer looks
/// at that when it fires, and goes on for what is left.
///
/// Thread: the loop.
public final class MovingDeadline {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Runnable missed;

    /// Nanoseconds of the loop's clock, or [#NEVER].
    private long deadline = NEVER;

    /// When the timer fires, if it is armed.
    private long fires;

    private @Nullable Timeout timeout;

    /// @param missed runs once for each deadline that is missed
    public MovingDeadline(EventLoop loop, Runnable missed) {
        this.loop = loop;
        this.missed = missed;
    }

    /// Moves the deadline to `atMost` from now, which may be sooner than it was.
    public void set(Duration atMost) {
        deadline = loop.clock().nanoTime() + atMost.toNanos();
        if (timeout == null || fires - deadline > 0) {
            arm(deadline);
        }
    }

    /// There is no deadline for now.
    public void clear() {
        deadline = NEVER;
    }

    /// There is no deadline, and the timer ends.
    public void end() {
        deadline = NEVER;
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }

    private void arm(long at) {
        if (timeout != null) {
            timeout.cancel();
        }
        fires = at;
        long delay = Math.max(0, at - loop.clock().nanoTime());
        try {
            timeout = loop.scheduleCoarse(this::fired, delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            timeout = null; // the loop ends, and its connections with it
        }
    }

    private void fired() {
        timeout = null;
        if (deadline == NEVER) {
            return;
        }
        if (deadline - loop.clock().nanoTime() > 0) {
            arm(deadline);
        } else {
            deadline = NEVER;
            missed.run();
        }
    }
}
