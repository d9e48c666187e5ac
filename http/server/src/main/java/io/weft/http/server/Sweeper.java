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
/// sleeps.
final class Sweeper {
    private static final long TICK_MILLIS = 500;

    private final EventLoop loop;
    private final DateField date = new DateField(Instant.now());
    private @Nullable Deadlines first;
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
        Deadlines next = one.next;
        if (one.prev != null) {
            one.prev.next = next;
        } else if (first == one) {
            first = next;
        }
        if (next != null) {
            next.prev = one.prev;
        }
        // next stays: tick may be walking through this connection.
        one.prev = one;
    }

    private void tick() {
        now = loop.clock().nanoTime();
        date.refresh(Instant.now());
        for (Deadlines one = first; one != null; one = one.next) {
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
