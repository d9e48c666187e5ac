package io.weft.http.client.liveness;

import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asks a server that is silent for a sign of life (PING: RFC 9113, 6.7) while something is awaited
/// of it, and tells when none comes.
///
/// Thread: the loop.
public final class Heartbeat {
    private final EventLoop loop;
    private final long interval;
    private final Runnable ask;
    private final Runnable dead;
    private @Nullable Timeout timer;

    /// The time at which the server was heard last, and whether it was asked since.
    private long heard;

    private boolean asked;

    /// @param interval nanoseconds of silence until the server is asked, and as many until it
    ///     counts as dead; 0 never to ask
    public Heartbeat(EventLoop loop, long interval, Runnable ask, Runnable dead) {
        this.loop = loop;
        this.interval = interval;
        this.ask = ask;
        this.dead = dead;
    }

    /// Something is awaited from now on, if it was not before.
    public void begin() {
        if (interval > 0 && timer == null) {
            heard();
            schedule(interval);
        }
    }

    /// Bytes came.
    public void heard() {
        if (interval > 0) {
            heard = loop.clock().nanoTime();
            asked = false;
        }
    }

    /// Nothing is awaited any longer.
    public void end() {
        Timeout running = timer;
        if (running != null) {
            running.cancel();
            timer = null;
        }
    }

    private void schedule(long nanos) {
        timer = loop.scheduleCoarse(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        timer = null;
        long silent = loop.clock().nanoTime() - heard;
        if (silent < interval) {
            schedule(interval - silent);
        } else if (asked) {
            dead.run();
        } else {
            asked = true;
            ask.run();
            schedule(interval);
        }
    }
}
