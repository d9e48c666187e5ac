package io.weft.http.client.liveness;

import io.weft.channel.Channel;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The channel of a connection in the pool: what other threads ask of it, and the time for which it
/// may lie idle. Nothing can be asked before the connection's handler has been added.
public final class PooledChannel {
    private volatile @Nullable Channel channel;

    // ---- loop only ----

    private boolean idle;

    /// Made with the first rest.
    private @Nullable MovingDeadline deadline;

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
    ///
    /// @param expired the same each time
    public void idle(Duration most, Runnable expired) {
        Channel ch = channel;
        if (idle || ch == null) {
            return;
        }
        idle = true;
        if (deadline == null) {
            // It may be in use by now after all, and rest again.
            Runnable missed =
                    () -> {
                        idle = false;
                        expired.run();
                    };
            deadline = new MovingDeadline(ch.eventLoop(), missed);
        }
        deadline.set(most);
    }

    /// The channel is in use. Loop only.
    public void busy() {
        idle = false;
        if (deadline != null) {
            deadline.clear();
        }
    }

    /// The channel has ended, or is another's. Loop only.
    public void ended() {
        idle = false;
        if (deadline != null) {
            deadline.end();
        }
    }
}
