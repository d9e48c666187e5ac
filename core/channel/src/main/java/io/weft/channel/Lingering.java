package io.weft.channel;

import io.weft.eventloop.EventLoop;
import io.weft.eventloop.process.Shortage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The channels of one loop that linger, oldest first: descriptors that can be given up for better
/// uses. Owned by the loop, except [#giveOne].
final class Lingering {
    private final EventLoop loop;
    private @Nullable OrderlyClose oldest;
    private @Nullable OrderlyClose newest;
    private boolean known;

    /// Any thread sets it; the loop clears it.
    private final AtomicBoolean asked = new AtomicBoolean();

    private final Runnable giveOne = this::giveOne;
    private final Runnable endOldest = this::endOldest;

    Lingering(EventLoop loop) {
        this.loop = loop;
    }

    void add(OrderlyClose close) {
        close.older = newest;
        if (newest == null) {
            oldest = close;
        } else {
            newest.newer = close;
        }
        newest = close;
        if (!known) {
            known = true; // for the rest of the loop's life, as most closes find the list empty
            Shortage.offer(giveOne);
        }
    }

    void remove(OrderlyClose close) {
        if (close.older == null) {
            oldest = close.newer;
        } else {
            close.older.newer = close.newer;
        }
        if (close.newer == null) {
            newest = close.older;
        } else {
            close.newer.older = close.older;
        }
        close.older = null;
        close.newer = null;
    }

    /// Has the loop close the descriptor that lingers longest. Any thread.
    void giveOne() {
        if (asked.getAndSet(true)) {
            return;
        }
        try {
            loop.executeUnbounded(endOldest);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and closed its channels.
        }
    }

    private void endOldest() {
        asked.set(false);
        if (oldest != null) {
            oldest.giveUp();
        }
    }

    /// The loop ends.
    void end() {
        if (known) {
            Shortage.withdraw(giveOne);
        }
    }
}
