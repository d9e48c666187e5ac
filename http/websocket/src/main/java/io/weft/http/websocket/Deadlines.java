package io.weft.http.websocket;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.weft.buffer.BufferAllocator;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import org.jspecify.annotations.Nullable;

/// The clock of a connection: pings in silence, the end of a close that takes too long, and of a
/// peer that takes nothing. Thread: the channel's loop.
final class Deadlines {
    private final WebSocketHandler handler;
    private final WebSocketTimeouts timeouts;
    private @Nullable EventLoop loop;
    private @Nullable Timeout silence;
    private @Nullable Timeout close;

    /// Runs while the channel is not writable.
    private @Nullable Timeout stall;

    /// Bytes that waited for the peer when that was looked at last.
    private long waiting;

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
    }
}
