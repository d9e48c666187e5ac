package io.weft.loop;

import io.weft.loop.guard.Faults;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A task that an executor runs when its time has come. It can be cancelled from any thread.
public sealed class Timeout permits Timeout.HandedOver {
    private static final VarHandle STATE = stateHandle();

    // Bits of `state`. COARSE stays as it was at first; CANCELLED and EXPIRED exclude each other.
    private static final int CANCELLED = 1;
    private static final int EXPIRED = 2;
    private static final int COARSE = 4;
    private static final int FORGOTTEN = 8; // together with CANCELLED: by the loop

    // Values of `place`; from 0 on it is a list of the wheel.
    static final int NOWHERE = -1;
    static final int IN_RUN = -2;
    static final int IN_HEAP = -3;

    private final Timers timers;

    private volatile int state;

    // Read by whoever won the state, cleared when nobody will: a far deadline must not keep alive
    // what it captured.
    private @Nullable Runnable task;

    // Owned by the loop, as is `task` of a periodic timeout.
    private long deadline;
    long sequence;
    int place = NOWHERE;
    int index; // there

    /// A task with the nanoseconds between its runs: positive from deadline to deadline, negative
    /// from end to start. Apart from `Timeout` because few are periodic, and the smaller a timeout
    /// the more of them a cache holds.
    record Repeated(Runnable task, long period) implements Runnable {
        @Override
        public void run() {
            task.run();
        }
    }

    /// A timeout that another thread schedules: itself the task that arms it on the loop, so that
    /// the way there costs no object.
    static final class HandedOver extends Timeout implements Runnable {
        HandedOver(Timers timers, Runnable task, long deadline, boolean coarse) {
            super(timers, task, deadline, coarse);
        }

        @Override
        public void run() {
            timers().add(this);
        }
    }

    Timeout(Timers timers, Runnable task, long deadline, boolean coarse) {
        this.timers = timers;
        this.task = task;
        this.deadline = deadline;
        if (coarse) {
            STATE.set(this, COARSE);
        }
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
    /// @return false when the only run has begun, or when it was cancelled before; the loop and
    ///     another thread that cancel at the same time may both be told true
    public boolean cancel() {
        int s = state;
        if ((s & (CANCELLED | EXPIRED)) != 0) {
            return false;
        }
        if (timers.inLoop()) {
            // Without a compare-and-set, which would be most of the cost: the loop alone expires a
            // timeout, and all that others could do meanwhile is the same.
            STATE.setRelease(this, s | CANCELLED | FORGOTTEN);
            task = null;
            timers.forget(this);
            return true;
        }
        if (!STATE.compareAndSet(this, s, s | CANCELLED)) {
            return false;
        }
        task = null;
        timers.marked();
        return true;
    }

    /// Puts the (next) run off, or brings it forward, to `delay` from now; what has the same
    /// deadline already runs first. For deadlines that begin anew with each sign of life: putting
    /// off costs a few instructions and no memory. On the executor only.
    ///
    /// @return false when it is cancelled, or its only run has begun, or its executor has ended
    /// @throws IllegalStateException when called elsewhere
    public boolean rearm(long delay, TimeUnit unit) {
        if (!timers.inLoop()) {
            throw new IllegalStateException(
                    "rearm by " + Thread.currentThread() + " (expected: the timeout's executor)");
        }
        if (!isPending() || endsWithItsExecutor()) {
            return false;
        }
        timers.moved(
                this,
                (state & COARSE) != 0
                        ? timers.coarseDeadline(delay, unit)
                        : timers.deadline(delay, unit));
        return true;
    }

    /// True when it was cancelled, or dropped because its executor terminated first.
    public boolean isCancelled() {
        return (state & CANCELLED) != 0;
    }

    /// True when its only run has begun; never for a periodic task.
    public boolean isExpired() {
        return (state & EXPIRED) != 0;
    }

    /// When the (next) run is due, on the executor's [Clock]. Exact for one run and on the loop; of
    /// a periodic task another thread may see the run before.
    public long deadlineNanos() {
        return deadline;
    }

    Timers timers() {
        return timers;
    }

    boolean isPending() {
        return (state & (CANCELLED | EXPIRED)) == 0;
    }

    /// True when the loop cancelled it, which its timers have counted.
    boolean isForgotten() {
        return (state & FORGOTTEN) != 0;
    }

    void deadline(long nanos) {
        deadline = nanos;
    }

    boolean isBefore(Timeout other) {
        long difference = deadline - other.deadline;
        return difference < 0 || (difference == 0 && sequence < other.sequence);
    }

    /// Runs the task unless it was cancelled, and arms the next run. Loop only, taken from the
    /// timers before.
    void fire() {
        Runnable run = task;
        if (run instanceof Repeated repeated) {
            if (isPending()) {
                run(run);
                repeat(repeated.period);
            }
        } else if (run != null && expire()) {
            task = null;
            run(run);
        }
    }

    private boolean expire() {
        int s = state;
        return (s & CANCELLED) == 0 && STATE.compareAndSet(this, s, s | EXPIRED);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            Faults.report("a timer's task threw", t);
        }
    }

    private void repeat(long period) {
        if (isPending()
                && place == NOWHERE
                && !endsWithItsExecutor()) { // else the task has rearmed it
            deadline = next(period, timers.clock().nanoTime());
            timers.add(this);
        }
    }

    /// Of a rate: a period on, or the last of those that have been missed, so that after a pause of
    /// the process it runs once more than it should, and not an hour's worth at once.
    private long next(long period, long now) {
        if (period < 0) {
            return now - period;
        }
        long late = now - deadline;
        return deadline + Math.max(period, late - late % period);
    }

    /// True if its executor ends, which no longer runs anything twice: then it is cancelled.
    private boolean endsWithItsExecutor() {
        if (timers.isClosed()) {
            boolean _ = cancel();
            return true;
        }
        return false;
    }

    @Override
    public String toString() {
        String is = isCancelled() ? "cancelled" : isExpired() ? "expired" : "pending";
        return "Timeout(" + is + ", deadline " + deadline + " ns)";
    }
}
