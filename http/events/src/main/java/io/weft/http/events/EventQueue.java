package io.weft.http.events;

import io.weft.buffer.Buffer;
import io.weft.http.model.BodySource;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The events of a stream that wait for its wire.
final class EventQueue implements BodySource {
    private final EventStreamLimits limits;

    /// Run when the wire gives the body up, or has sent all of it.
    private final Runnable closed;

    // Guarded by this object:
    private final ArrayDeque<byte[]> events = new ArrayDeque<>();

    /// Bytes of the first event that were taken. All of them count until the last one is.
    private int taken;

    private long bytes;
    private boolean over;

    /// Has told the wire to wait.
    private boolean waiting;

    private @Nullable Runnable wake;

    EventQueue(EventStreamLimits limits, Runnable closed) {
        this.limits = limits;
        this.closed = closed;
    }

    /// @return false when nothing more is taken, or too much waits
    boolean add(byte[] event) {
        if (event.length > limits.bytes()) {
            throw new IllegalArgumentException(
                    "event: "
                            + event.length
                            + " bytes (expected: at most "
                            + limits.bytes()
                            + ", the stream's limit)");
        }
        Runnable toWake;
        synchronized (this) {
            if (over || events.size() >= limits.events() || bytes + event.length > limits.bytes()) {
                return false;
            }
            events.add(event);
            bytes += event.length;
            toWake = takeWake();
        }
        run(toWake);
        return true;
    }

    /// Ends the body behind what waits.
    void end() {
        Runnable toWake;
        synchronized (this) {
            over = true;
            toWake = takeWake();
        }
        run(toWake);
    }

    private @Nullable Runnable takeWake() {
        Runnable toWake = waiting ? wake : null;
        waiting = false;
        return toWake;
    }

    /// Never under the lock: a wire may read at once, and others be waiting for this thread.
    private static void run(@Nullable Runnable task) {
        if (task != null) {
            task.run();
        }
    }

    // ---- the wire ----

    @Override
    public synchronized void onWake(Runnable task) {
        wake = task;
    }

    @Override
    public synchronized Step read(Buffer out) {
        for (byte[] event; (event = events.peek()) != null; ) {
            int length = Math.min(event.length - taken, out.writableBytes());
            out.writeBytes(event, taken, length);
            taken += length;
            if (taken < event.length) {
                return Step.MORE;
            }
            taken = 0;
            bytes -= event.length;
            events.remove();
        }
        waiting = !over;
        return over ? Step.END : Step.WAIT;
    }

    @Override
    public void close() {
        synchronized (this) {
            over = true;
            waiting = false;
            wake = null;
            events.clear();
            bytes = 0;
        }
        closed.run();
    }
}
