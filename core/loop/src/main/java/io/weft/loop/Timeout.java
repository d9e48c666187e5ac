package io.weft.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A task that an executor runs when its time has come. It can be cancelled from any thread.
public final class Timeout {
    private static final VarHandle STATE = stateHandle();
    private static final int PENDING = 0;
    private static final int CANCELLED = 1;
    private static final int EXPIRED = 2;

    private final Timers timers;

    // Nanoseconds between runs: 0 for one run, positive from deadline to deadline, negative from
    // end to start.
    private final long period;

    private volatile int state;

    // Read by whoever won the state, cleared when nobody will: a far deadline must not keep alive
    // what it captured.
    private @Nullable Runnable task;

    // Owned by the loop, as is `task` of a periodic timeout.
    private long deadline;
    long sequence;
    int index = -1;

    Timeout(Timers timers, Runnable task, long deadline, long period) {
        this.timers = timers;
        this.task = task;
        this.deadline = deadline;
        this.period = period;
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Timeout.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Keeps the task from being run (again). A run that has begun is not interrupted. Any thread.
    ///
    /// @return false when the only run has begun, or when it was cancelled before
    public boolean cancel() {
        if (!STATE.compareAndSet(this, PENDING, CANCELLED)) {
            return false;
        }
        task = null;
        timers.cancelled(this);
        return true;
    }

    /// True when it was cancelled, or dropped because its executor terminated first.
    public boolean isCancelled() {
        return state == CANCELLED;
    }

    /// True when its only run has begun; never for a periodic task.
    public boolean isExpired() {
        return state == EXPIRED;
    }

    /// When the (next) run is due, on the executor's [Clock]. Exact for one run and on the loop; of a periodic task
    /// another thread may see the run before.
    public long deadlineNanos() {
        return deadline;
    }

    /// Runs the task unless it was cancelled, and arms the next run. Loop only, taken from the timers before.
    void fire(Clock clock) {
        if (period == 0 && !STATE.compareAndSet(this, PENDING, EXPIRED)) {
            return;
        }
        Runnable run = task;
        if (run == null) {
            return;
        }
        if (period == 0) {
            task = null;
        }
        try {
            run.run();
        } catch (Throwable t) {
            Faults.report("a timer's task threw", t);
        }
        if (period != 0 && state == PENDING) {
            deadline = period > 0 ? deadline + period : clock.nanoTime() - period;
            timers.add(this);
        }
    }

    @Override
    public String toString() {
        String is = isCancelled() ? "cancelled" : isExpired() ? "expired" : "pending";
        return "Timeout(" + is + ", deadline " + deadline + " ns)";
    }
}
