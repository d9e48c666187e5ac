package io.weft.loop.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/// The watchdog's knowledge of one loop. All but the counters is for the watchdog's thread only.
public final class Watch {
    private final String executor;
    private final Pulse pulse;
    private final LongSupplier tasksRun;
    private final Supplier<StackTraceElement[]> stack;
    private final long thresholdNanos;

    private long seenPulse;
    private long seenTasks;
    private long since; // when that was first seen
    private long looked;
    private long reportAt; // how long a hold is reported next
    private boolean begun;
    private boolean waitedOn; // since the look before
    private long busy;

    // Written by the watchdog, read by who wants to know.
    private volatile long busyNanos;
    private volatile long longestHoldNanos;

    public Watch(
            String executor,
            Pulse pulse,
            LongSupplier tasksRun,
            Supplier<StackTraceElement[]> stack,
            long thresholdNanos) {
        this.executor = executor;
        this.pulse = pulse;
        this.tasksRun = tasksRun;
        this.stack = stack;
        this.thresholdNanos = thresholdNanos;
    }

    public long busyNanos() {
        return busyNanos;
    }

    public long longestHoldNanos() {
        return longestHoldNanos;
    }

    /// Forgets since when the loop has been where it is: the whole JVM, or the machine, stood
    /// still.
    public void stoodStill() {
        begun = false;
    }

    /// Tells if the loop made no round between the last two looks, nor since: it waits.
    public boolean waits() {
        return waitedOn && pulse.read() == seenPulse;
    }

    /// Looks at the loop at time `now`. The hold it finds began, at the latest, when the same state
    /// was first seen.
    public void look(long now) {
        long beat = pulse.read();
        long tasks = tasksRun.getAsLong();
        boolean waiting = (beat & 1) != 0;
        waitedOn = begun && waiting && beat == seenPulse;
        if (begun && !waiting) {
            busy += now - looked;
            busyNanos = busy;
        }
        looked = now;
        if (!begun || waiting || beat != seenPulse || tasks != seenTasks) {
            begun = true;
            seenPulse = beat;
            seenTasks = tasks;
            since = now;
            reportAt = thresholdNanos;
            return;
        }
        long held = now - since;
        if (held >= reportAt) {
            // At once, twice, four times ... the threshold: a loop that is stuck for good must not
            // fill the disk.
            reportAt = 2 * held;
            longestHoldNanos = Math.max(longestHoldNanos, held);
            report(held);
        }
    }

    private void report(long held) {
        var text = new StringBuilder();
        for (StackTraceElement frame : stack.get()) {
            text.append("\tat ").append(frame).append('\n');
        }
        if (FlightRecorder.isInitialized()) {
            emit(held, text.toString());
        }
        Faults.warn(
                executor
                        + ": held by one task for "
                        + TimeUnit.NANOSECONDS.toMillis(held)
                        + " ms (expected: < "
                        + TimeUnit.NANOSECONDS.toMillis(thresholdNanos)
                        + " ms)\n"
                        + text);
    }

    private void emit(long held, String text) {
        var event = new LoopHeldEvent();
        if (event.shouldCommit()) {
            event.executor = executor;
            event.heldFor = held;
            event.stack = text;
            event.commit();
        }
    }
}
