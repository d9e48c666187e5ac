package io.weft.http.client.liveness;

import io.weft.channel.Channel;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The channel of a connection in the pool: what other threads ask of it, and the time for which it
/// may lie idle. Nothing can be asked before the connection's handler has been added.
public final class PooledChannel {
    private volatile @Nullable Channel channel;

    // ---- loop only ----

    private boolean idle;

    /// When it began to lie idle, by the loop's clock.
    private long idleSince;

    /// Looks, when it fires, if the channel has been idle for long enough, and goes on for what is
    /// left: so a request costs no timer.
    private @Nullable Timeout timer;

    public void added(Channel added) {
        channel = added;
    }

    public boolean isActive() {
        Channel ch = channel;
        return ch != null && ch.isActive();
    }

    /// Tells if the caller is on the channel's loop.
    public boolean isNear() {
        Channel ch = channel;
        return ch != null && ch.eventLoop().inLoop();
    }

    public void close() {
        Channel ch = channel;
        if (ch != null) {
            var _ = ch.close();
        }
    }

    /// Runs a task on the channel's loop.
    ///
    /// @return false if it never will: there is no channel, or its loop has ended
    public boolean run(Runnable task) {
        Channel ch = channel;
        if (ch == null) {
            return false;
        }
        try {
            ch.eventLoop().executeUnbounded(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /// Runs `expired` after `most`, unless [#busy] comes before; once, however often this is called
    /// meanwhile. Loop only.
    public void idle(Duration most, Runnable expired) {
        Channel ch = channel;
        if (idle || ch == null) {
            return;
        }
        idle = true;
        idleSince = ch.eventLoop().clock().nanoTime();
        if (timer == null) {
            watch(ch.eventLoop(), most.toNanos(), most, expired);
        }
    }

    private void watch(EventLoop loop, long delay, Duration most, Runnable expired) {
        Runnable look =
                () -> {
                    timer = null;
                    long left = idleSince + most.toNanos() - loop.clock().nanoTime();
                    if (idle && left > 0) {
                        watch(loop, left, most, expired);
                    } else if (idle) {
                        expired.run();
                    }
                };
        try {
            timer = loop.scheduleCoarse(look, delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            timer = null; // the loop ends, and its channels with it
        }
    }

    /// The channel is in use. Loop only.
    public void busy() {
        idle = false;
    }

    /// The channel has ended, or is another's. Loop only.
    public void ended() {
        idle = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
