package io.weft.http.client;

import io.weft.eventloop.EventLoop;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The deadline of what an exchange waits for. Waiting for something else moves a field; the one
/// timer looks at it when it fires, and goes on for what is left. So a piece of a body costs no
/// timer.
///
/// Thread: the loop.
final class ExchangeTimer {
    /// Is told of a deadline that was missed.
    interface Owner {
        void late(Stage stage, Duration most);
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final Owner owner;
    private Stage stage = Stage.SEND;
    private Duration most = Duration.ZERO;

    /// Nanoseconds of the loop's clock, or [#NEVER].
    private long deadline = NEVER;

    /// When the timer fires, if it is armed.
    private long fires;

    private @Nullable Timeout timeout;

    ExchangeTimer(EventLoop loop, Owner owner) {
        this.loop = loop;
        this.owner = owner;
    }

    /// From now on, `what` is waited for.
    void waitFor(Stage what, Duration atMost) {
        stage = what;
        most = atMost;
        deadline = loop.clock().nanoTime() + atMost.toNanos();
        if (timeout == null || fires - deadline > 0) {
            arm(deadline);
        }
    }

    /// Nothing is waited for.
    void rest() {
        deadline = NEVER;
    }

    void end() {
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
            owner.late(stage, most);
        }
    }
}
