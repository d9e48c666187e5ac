package io.weft.http.server;

import io.weft.eventloop.EventLoop;
import io.weft.http.http1.DateField;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Watches over the deadlines of all connections of one loop, twice a second, and keeps their Date
/// field.
///
/// One timer for all instead of one for each: a request arms and cancels nothing, and reads a clock
/// that is a field. In exchange, deadlines are met within half a second. Without connections it
/// sleeps. With many it looks at some, and lets the loop do its other work before the next ones:
/// a hundred thousand at once would hold it for milliseconds.
final class Sweeper {
    private static final long TICK_MILLIS = 500;

    /// Connections that are looked at in one turn of the loop: some 50 µs.
    static final int SLICE = 1_024;

    private final EventLoop loop;
    private final DateField date = new DateField(Instant.now());
    private @Nullable Deadlines first;

    /// The one that this tick looks at next; null behind the last.
    private @Nullable Deadlines next;

    private long now;
    private boolean ticking;

    Sweeper(EventLoop loop) {
        this.loop = loop;
    }

    /// Nanoseconds of the loop's clock, at most half a second old.
    long now() {
        return now;
    }

    EventLoop loop() {
        return loop;
    }

    DateField date() {
        return date;
    }

    void add(Deadlines one) {
        if (first != null) {
            first.prev = one;
        }
        one.next = first;
        first = one;
        if (!ticking) {
            ticking = true;
            tick();
        }
    }

    /// Again without effect: neighbours have moved on then.
    void remove(Deadlines one) {
        if (one.prev == one) {
            return;
        }
        Deadlines behind = one.next;
        if (next == one) {
            next = behind;
        }
        if (one.prev != null) {
            one.prev.next = behind;
        } else if (first == one) {
            first = behind;
        }
        if (behind != null) {
            behind.prev = one.prev;
        }
        one.prev = one;
    }

    private void tick() {
        date.refresh(Instant.now());
        next = first;
        sweep();
    }

    private void sweep() {
        now = loop.clock().nanoTime();
        for (int looked = 0; next != null; looked++) {
            if (looked == SLICE) {
                loop.schedule(this::sweep, 0, TimeUnit.MILLISECONDS);
                return;
            }
            Deadlines one = next;
            next = one.next;
            try {
                one.check(now);
            } catch (Throwable t) {
                // Most likely there is no memory for a 408. The others' deadlines go on.
                one.owner().giveUp("a deadline could not be enforced; the connection is cut", t);
            }
        }
        if (first == null) {
            ticking = false;
        } else {
            loop.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
