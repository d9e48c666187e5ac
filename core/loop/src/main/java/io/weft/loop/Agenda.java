package io.weft.loop;

import io.weft.loop.guard.Faults;
import io.weft.loop.queue.TaskQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// The pending work of a loop: the queue of tasks, the completions that found it full, and the
/// timers. Knows nothing of threads and of sleeping: its owner sees to both.
final class Agenda {
    /// Bounds on one round of timers and one of tasks, so that neither keeps I/O waiting for long.
    /// The clock is read once for so many runs only.
    private static final int MAX_RUNS = 4096;

    /// After so many runs, at least a million completions or four seconds of them, one that always
    /// brings about another has to give up.
    private static final int MAX_LAST_RUNS = 256;

    private static final VarHandle LAG = handle("lagNanos", long.class);
    private static final VarHandle BUSY = handle("busy", boolean.class);

    private static final long MAX_NANOS = 16_000_000;
    private static final int RUNS_PER_CLOCK_READ = 64;

    private final EventExecutor owner;
    private final Executor inbox;
    private final Clock clock;
    private final TaskQueue<Runnable> tasks;
    private final Timers timers;
    private final boolean ownThread;

    private final Overflow overflow;

    // How late the last due timer was; written by the owner, read by who asks for statistics.
    @SuppressWarnings("UnusedVariable") // accessed by LAG
    private long lagNanos;

    // Whether the owner runs tasks; written and read likewise.
    @SuppressWarnings("UnusedVariable") // accessed by BUSY
    private boolean busy;

    /// @param inbox the way of another thread's timer to the loop: runs a task there or throws
    /// @param ownThread true if the thread belongs to the loop, so that only the task that runs
    ///     meanwhile is concerned by an interrupt
    Agenda(
            EventExecutor owner,
            Clock clock,
            TaskQueue<Runnable> tasks,
            Executor inbox,
            boolean ownThread) {
        Faults.prepare();
        this.ownThread = ownThread;
        this.inbox = inbox;
        this.owner = owner;
        this.clock = clock;
        this.tasks = tasks;
        overflow = new Overflow(tasks);
        timers = new Timers(clock, owner::inLoop);
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Agenda.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- any thread ----

    /// @throws RejectedExecutionException when the queue is full or closed
    void accept(Runnable task) {
        if (!offer(task)) {
            throw full();
        }
    }

    /// @return false when the queue is full
    /// @throws RejectedExecutionException when the queue is closed
    boolean offer(Runnable task) {
        if (tasks.offer(task)) {
            return true;
        }
        if (tasks.isClosed()) {
            throw closed();
        }
        return false;
    }

    /// @throws RejectedExecutionException when everything has ended
    void acceptUnbounded(Runnable task) {
        if (!tasks.offer(task) && !overflow.add(task)) {
            throw closed();
        }
    }

    private RejectedExecutionException full() {
        int limit = tasks.capacity();
        return new RejectedExecutionException(
                "task queue of " + owner + ": " + limit + " tasks (expected: < " + limit + ")");
    }

    private RejectedExecutionException closed() {
        return new RejectedExecutionException(owner + ": shut down (expected: running)");
    }

    Timeout schedule(Runnable task, long delay, long period, TimeUnit unit) {
        return arm(timers.timeout(task, delay, period, unit));
    }

    Timeout scheduleCoarse(Runnable task, long delay, TimeUnit unit) {
        return arm(timers.coarse(task, delay, unit));
    }

    private Timeout arm(Timeout timeout) {
        if (timeout instanceof Timeout.HandedOver task) {
            inbox.execute(task);
        } else {
            timers.add(timeout);
        }
        return timeout;
    }

    int size() {
        return tasks.size() + overflow.size();
    }

    /// Returns the number of tasks that have been taken from the queue.
    long tasksTaken() {
        return tasks.polled();
    }

    boolean isBusy() {
        return (boolean) BUSY.getOpaque(this);
    }

    long lagNanos() {
        return (long) LAG.getOpaque(this);
    }

    // ---- the owner's thread ----

    /// True when there is something for [#runTasks], or about to be: a task whose producer has
    /// announced it and not yet published it.
    boolean hasTasks() {
        return !tasks.isEmpty() || overflow.size() > 0;
    }

    /// Nanoseconds until the first timer is due, at most 0 if one is; `Long.MAX_VALUE` without
    /// timers.
    long untilFirstTimer() {
        return timers.untilFirst();
    }

    /// Runs timers that are due, within bounds.
    int runTimers() {
        if (timers.size() == 0) {
            return 0;
        }
        long now = clock.nanoTime();
        // Not more than there are, so that timers that arm themselves anew at once do not keep
        // tasks from running.
        int most = Math.min(timers.size(), MAX_RUNS);
        int ran = 0;
        while (ran < most) {
            Timeout timeout = timers.pollDue(now);
            if (timeout == null) {
                break;
            }
            if (ran == 0) {
                LAG.setOpaque(this, now - timeout.deadlineNanos());
            }
            fire(timeout);
            if (++ran % RUNS_PER_CLOCK_READ == 0 && clock.nanoTime() - now >= MAX_NANOS) {
                break;
            }
        }
        return ran;
    }

    /// Runs tasks, within bounds.
    int runTasks() {
        int ran = 0;
        long start = 0;
        Runnable task;
        while (ran < MAX_RUNS && (task = overflow.poll()) != null) {
            if (ran == 0) {
                BUSY.setOpaque(this, true);
            }
            run(task);
            if (++ran % RUNS_PER_CLOCK_READ == 0) {
                long now = clock.nanoTime();
                if (ran == RUNS_PER_CLOCK_READ) {
                    start = now;
                } else if (now - start >= MAX_NANOS) {
                    break;
                }
            }
        }
        if (ran > 0) {
            BUSY.setOpaque(this, false);
        }
        return ran;
    }

    private void fire(Timeout timeout) {
        if (ownThread) {
            boolean _ = Thread.interrupted();
        }
        timeout.fire();
    }

    private void run(Runnable task) {
        if (ownThread) {
            boolean _ = Thread.interrupted();
        }
        try {
            task.run();
        } catch (Throwable t) {
            Faults.report("a task threw", t);
        }
    }

    /// Runs the timers that are due, each once; what they hand over is still taken.
    void runDueTimers() {
        long now = clock.nanoTime();
        for (int left = timers.size(); left > 0; left--) {
            Timeout timeout = timers.pollDue(now);
            if (timeout == null) {
                return;
            }
            fire(timeout);
        }
    }

    /// Refuses later tasks, then runs what was accepted, timers that have become due too, and
    /// cancels the others.
    void closeTasks() {
        tasks.close();
        while (!tasks.isEmpty()) {
            if (runTasks() == 0) {
                Thread.onSpinWait(); // claimed: its producer is about to publish it
            }
        }
        timers.close();
    }

    /// Runs the last completions and takes no more: once there are none left, or once there is no
    /// end of them.
    void closeUnbounded() {
        int runs = 0;
        do {
            int _ = runTasks();
        } while (!overflow.close(runs++ == MAX_LAST_RUNS));
        while (overflow.size() > 0) {
            int _ = runTasks();
        }
    }
}
