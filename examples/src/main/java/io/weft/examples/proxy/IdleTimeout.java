package io.weft.examples.proxy;

import io.weft.channel.Channel;
import io.weft.examples.Extras;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The idle time-out of a [Relay]: aborts both of its channels when no byte has come from either of
/// them, and none that waits was taken by either, for the given time.
///
/// One timer, on the loop of the second channel, is armed once a period, not once a read. Bytes
/// that wait to be sent are looked at when time is up, so a peer that takes some of them less often
/// than once a period, and from which nothing comes, has up to two periods.
final class IdleTimeout {
    /// The option with the number of seconds.
    static final String OPTION = "--idle-timeout";

    /// One hour, as common for tunnels: shells and database connections say nothing for long.
    static final Duration DEFAULT = Duration.ofHours(1);

    private static final int MAX_SECONDS = 30 * 24 * 3600;

    private final Channel a;
    private final Channel b;
    private final long nanos;

    /// When something passed, on the clock of the loop of `b`. Written by both loops.
    private volatile long last;

    private volatile boolean over;
    private volatile boolean expired;

    /// Written by the loop of `b`.
    private volatile @Nullable Timeout timer;

    /// Bytes that waited when time was up; -1 after a period in which something passed. Loop of
    /// `b`.
    private long waiting = -1;

    IdleTimeout(Channel a, Channel b, Duration patience) {
        this.a = a;
        this.b = b;
        this.nanos = patience.toNanos();
    }

    /// The time of `--idle-timeout SECONDS`, or the default.
    ///
    /// @throws IllegalArgumentException when it is malformed or out of range
    static Duration of(Extras extras) {
        String seconds = extras.last(OPTION);
        if (seconds == null) {
            return DEFAULT;
        }
        if (seconds.matches("[1-9][0-9]{0,6}") && Integer.parseInt(seconds) <= MAX_SECONDS) {
            return Duration.ofSeconds(Integer.parseInt(seconds));
        }
        throw new IllegalArgumentException(
                OPTION + ": " + seconds + " (expected: seconds from 1 to " + MAX_SECONDS + ")");
    }

    /// Begins to watch; to be called on the loop of `b`.
    void begin() {
        happened();
        arm(nanos);
    }

    /// Something passed. Loop of either channel.
    void happened() {
        last = now();
    }

    private long now() {
        return b.eventLoop().clock().nanoTime();
    }

    /// Ends the watch. Any thread.
    void end() {
        over = true;
        cancel(timer);
    }

    /// Tells if time was up, so that what ends now is no orderly end. Any thread.
    boolean isExpired() {
        return expired;
    }

    private void arm(long delay) {
        Timeout next = b.eventLoop().schedule(this::due, delay, TimeUnit.NANOSECONDS);
        timer = next;
        if (over) {
            cancel(next); // ended meanwhile, by the loop of the other channel
        }
    }

    private static void cancel(@Nullable Timeout timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void due() {
        long left = nanos - (now() - last);
        if (left > 0) {
            waiting = -1;
            arm(left);
        } else if (a.eventLoop().inLoop()) {
            decide(a.pendingBytes());
        } else {
            a.eventLoop()
                    .execute(
                            () -> {
                                long ofA = a.pendingBytes();
                                b.eventLoop().execute(() -> decide(ofA));
                            });
        }
    }

    private void decide(long ofA) {
        long before = waiting;
        waiting = ofA + b.pendingBytes();
        if (waiting == 0 || waiting == before) {
            expired = true;
            var _ = a.abort();
            var _ = b.abort();
        } else {
            arm(nanos);
        }
    }
}
