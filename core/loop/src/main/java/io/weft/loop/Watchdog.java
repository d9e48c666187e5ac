package io.weft.loop;

import io.weft.loop.guard.Faults;
import io.weft.loop.guard.LoopHeldEvent;
import io.weft.loop.guard.Pulse;
import io.weft.loop.guard.Rest;
import io.weft.loop.guard.Watch;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// One thread that looks at every loop of the JVM twice in each `io.weft.watchdog.threshold`
/// (milliseconds, default 250, 0 for no watchdog), and reports one that has been at the same task
/// for longer than that, with its stack: as a warning in the log and as the JFR event
/// `io.weft.LoopHeld`; again when the hold is twice, four times … as long. About once a second it
/// emits an `io.weft.LoopStatistics` event for each loop.
///
/// While every loop waits it rests, for a second at a time.
///
/// Loops do nothing for it but one plain store a round, and wake it when it rests; the number of
/// tasks run is the position in the task queue. The default is longer than what a busy machine or a
/// collector's pause takes from a loop that does nothing wrong.
final class Watchdog implements Runnable {
    private static final long THRESHOLD_NANOS =
            1_000_000 * Long.getLong("io.weft.watchdog.threshold", 250);
    private static final long PERIOD_NANOS = Math.max(THRESHOLD_NANOS / 2, 1);
    private static final long STATISTICS_NANOS = 1_000_000_000;

    /// Statistics go on while it rests.
    private static final long REST_NANOS = Math.max(PERIOD_NANOS, STATISTICS_NANOS);

    private static final ConcurrentHashMap<SingleThreadExecutor, Watch> WATCHES =
            new ConcurrentHashMap<>();

    /// Linked when the first loop starts: later there may be no descriptor to load a class by.
    private static final BooleanSupplier ALL_WAIT = Watchdog::allWait;

    /// Initialized with the first watch.
    private static final class Dog {
        private static final Thread THREAD;

        static {
            // What it will report with is loaded now: later there may be no descriptor to load a
            // class by. Only loaded: the first use of an event starts JFR, half a second's work.
            Class<?> _ = LoopHeldEvent.class;
            Class<?> _ = LoopStatisticsEvent.class;
            Class<?> _ = LoopStatistics.class;
            THREAD = Thread.ofPlatform().daemon().name("weft-watchdog").start(new Watchdog());
        }
    }

    private long lastLook = System.nanoTime();
    private long lastStatistics = lastLook;

    private Watchdog() {}

    /// Begins to watch; null without a watchdog. Called by the loop.
    static @Nullable Watch watch(
            SingleThreadExecutor executor, Pulse pulse, LongSupplier tasksRun) {
        if (THRESHOLD_NANOS <= 0) {
            return null;
        }
        Thread loop = Thread.currentThread();
        var watch =
                new Watch(
                        executor.toString(), pulse, tasksRun, loop::getStackTrace, THRESHOLD_NANOS);
        WATCHES.put(executor, watch);
        LockSupport.unpark(Dog.THREAD);
        return watch;
    }

    static void forget(SingleThreadExecutor executor) {
        WATCHES.remove(executor);
    }

    @Override
    public void run() {
        while (true) {
            long expected = pause();
            try {
                look(System.nanoTime(), 2 * expected);
            } catch (Throwable t) {
                Faults.report("the watchdog failed", t);
            }
        }
    }

    /// Returns the nanoseconds that it should have taken; 0 if nothing says when it would end.
    private long pause() {
        if (WATCHES.isEmpty()) {
            LockSupport.park(this);
            return 0;
        }
        if (allWait()) {
            return Rest.OF_WATCHDOG.take(ALL_WAIT, REST_NANOS) ? 0 : REST_NANOS;
        }
        LockSupport.parkNanos(this, PERIOD_NANOS);
        return PERIOD_NANOS;
    }

    private static boolean allWait() {
        for (Watch watch : WATCHES.values()) {
            if (!watch.waits()) {
                return false;
            }
        }
        return true;
    }

    private void look(long now, long tooLong) {
        // Where this thread was late the loops may have been as well, for no fault of theirs; and
        // nothing is known of the time of a rest that a loop has ended.
        boolean stoodStill = now - lastLook > tooLong;
        lastLook = now;
        boolean emit = now - lastStatistics >= STATISTICS_NANOS && FlightRecorder.isInitialized();
        if (emit) {
            lastStatistics = now;
        }
        WATCHES.forEach(
                (executor, watch) -> {
                    if (stoodStill) {
                        watch.stoodStill();
                    }
                    watch.look(now);
                    if (emit) {
                        emit(executor);
                    }
                });
    }

    private static void emit(SingleThreadExecutor executor) {
        var event = new LoopStatisticsEvent();
        if (event.shouldCommit()) {
            LoopStatistics statistics = executor.statistics();
            event.executor = executor.toString();
            event.tasksRun = statistics.tasksRun();
            event.pendingTasks = statistics.pendingTasks();
            event.lag = statistics.lagNanos();
            event.busy = statistics.busyNanos();
            event.commit();
        }
    }
}
