package io.weft.http.websocket;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.weft.buffer.BufferAllocator;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import org.jspecify.annotations.Nullable;

/// The clock of a connection: pings in silence, the end of a close that takes too long, of a peer
/// that takes nothing, and of one that does not go on with its message. Thread: the channel's loop.
final class Deadlines {
    /// Bytes that have to come of a message in its time.
    private static final int LEAST = 1024;

    private final WebSocketHandler handler;
    private final WebSocketTimeouts timeouts;
    private @Nullable EventLoop loop;
    private @Nullable Timeout silence;
    private @Nullable Timeout close;

    /// Runs while the channel is not writable.
    private @Nullable Timeout stall;

    /// Bytes that waited for the peer when that was looked at last.
    private long waiting;

    /// Runs since a message was not whole when something had come.
    private @Nullable Timeout message;

    /// A message is not whole.
    private boolean unfinished;

    /// When that began, or had come on by [#LEAST] bytes, and the bytes since.
    private long progressed;

    private int since;

    /// When something came last.
    private long heard;

    /// A ping was sent since.
    private boolean asked;

    Deadlines(WebSocketHandler handler, WebSocketTimeouts timeouts) {
        this.handler = handler;
        this.timeouts = timeouts;
    }

    void begin(EventLoop of) {
        loop = of;
        if (timeouts.ping().isPositive()) {
            heard = of.clock().nanoTime();
            silence = of.schedule(this::look, timeouts.ping().toNanos(), NANOSECONDS);
        }
    }

    /// Counts silence from now on: something has come, or nothing could.
    void heard() {
        if (silence != null && loop != null) {
            heard = loop.clock().nanoTime();
            asked = false;
        }
    }

    private void look() {
        EventLoop on = loop;
        if (on == null) {
            return;
        }
        if (!handler.listens()) {
            heard(); // the application's pause is not the peer's silence
        }
        long period = timeouts.ping().toNanos();
        long silent = on.clock().nanoTime() - heard;
        boolean due = silent >= period;
        if (due && asked) {
            handler.overdue();
            return;
        }
        if (due) {
            asked = true;
            handler.socket().ping(BufferAllocator.pooled().allocate(0));
        }
        silence = on.schedule(this::look, due ? period : period - silent, NANOSECONDS);
    }

    /// Something has come.
    ///
    /// @param whole whether a message was whole with it
    /// @param more whether another one is not
    void received(int bytes, boolean whole, boolean more) {
        EventLoop on = loop;
        boolean begins = more && (whole || !unfinished);
        unfinished = more;
        if (!more || on == null || timeouts.message().isZero()) {
            return;
        }
        since += bytes;
        if (begins || since >= LEAST) {
            since = 0;
            progressed = on.clock().nanoTime();
        }
        if (message == null) {
            message = on.schedule(this::checkMessage, timeouts.message().toNanos(), NANOSECONDS);
        }
    }

    private void checkMessage() {
        EventLoop on = loop;
        message = null;
        if (!unfinished || on == null) {
            return;
        }
        long now = on.clock().nanoTime();
        if (!handler.listens()) {
            progressed = now; // the application's pause is not the peer's
        }
        long left = timeouts.message().toNanos() - (now - progressed);
        if (left <= 0) {
            handler.unfinished();
        } else {
            message = on.schedule(this::checkMessage, left, NANOSECONDS);
        }
    }

    /// The channel has become writable, or is so no longer.
    ///
    /// @param pending bytes that wait for the peer
    void writable(boolean is, long pending) {
        if (is && stall != null) {
            stall.cancel();
            stall = null;
        } else if (!is && stall == null) {
            watch(pending);
        }
    }

    private void watch(long pending) {
        EventLoop on = loop;
        if (on != null) {
            waiting = pending;
            stall = on.schedule(this::checkStall, timeouts.stall().toNanos(), NANOSECONDS);
        }
    }

    private void checkStall() {
        long pending = handler.pendingBytes();
        if (pending == waiting) {
            handler.stalled();
        } else {
            watch(pending);
        }
    }

    /// A close frame was sent, or the other end has to close the connection.
    void closing() {
        EventLoop on = loop;
        if (close == null && on != null) {
            close = on.schedule(handler::overdue, timeouts.close().toNanos(), NANOSECONDS);
        }
    }

    /// Nothing is waited for.
    void end() {
        if (silence != null) {
            silence.cancel();
        }
        if (close != null) {
            close.cancel();
            close = null;
        }
        if (stall != null) {
            stall.cancel();
            stall = null;
        }
        if (message != null) {
            message.cancel();
            message = null;
        }
    }
}
