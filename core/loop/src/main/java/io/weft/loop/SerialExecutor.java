package io.weft.loop;

import io.weft.loop.guard.Faults;
import io.weft.loop.queue.MpscQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An executor without a thread of its own: runs its tasks on another one, which may have many
/// threads, but one at a time and in order.
///
/// It asks the other executor for a turn when there is something to do, and runs what there is, for
/// about 16 ms, in that turn. Each task sees what those before it did, whatever threads they ran
/// on. Timers are started by the JDK's common pool, so that an idle executor holds no thread.
///
/// | field | written by | read | write |
/// |---|---|---|---|
/// | `turn` | all, from `NONE` to `ASKED`; its taker, to `TAKEN`, and back | compare-and-set after a full fence | compare-and-set; volatile |
/// | `runner` | the thread with the turn | plain: any other thread sees null or not itself | plain |
/// | `rang` | the alarm on, the thread with the turn off | as `turn` | volatile |
/// | `alarm`, `alarmAt` | the thread with the turn | plain | plain |
/// | `agenda`, `shutdown` | see there; the thread with the turn is the loop | | |
public final class SerialExecutor implements EventExecutor {
    private static final VarHandle TURN = turnHandle();
    private static final int NONE = 0;
    private static final int ASKED = 1; // who comes first takes it
    private static final int TAKEN = 2; // for good by the last one

    private final Executor executor;
    private final Clock clock = Clock.system();
    private final Agenda agenda;
    private final Shutdown shutdown;

    private volatile int turn = NONE;
    private @Nullable Thread runner;
    private volatile boolean rang;
    private @Nullable ScheduledFuture<?> alarm;
    private long alarmAt;

    /// An executor for at most 1,024 waiting tasks that runs them on `executor`, and never shuts
    /// that one down.
    ///
    /// Turns that `executor` refuses run on a virtual thread of their own, so that no accepted task
    /// is lost. An [ExecutorService] that drops what it has accepted, as `shutdownNow` does, may
    /// drop this one's turn with it: that is then taken on a virtual thread when the next task
    /// comes, a timer is due, or this one is shut down.
    ///
    /// @param executor an [ExecutorService] or any other
    public SerialExecutor(Executor executor) {
        this(executor, 1024);
    }

    /// Like [#SerialExecutor(Executor)] for at most `capacity` waiting tasks, rounded up to a power
    /// of two.
    ///
    /// @throws IllegalArgumentException unless `capacity` is in 1..2^30
    public SerialExecutor(Executor executor, int capacity) {
        this.executor = Objects.requireNonNull(executor, "executor");
        agenda = new Agenda(this, clock, new MpscQueue<>(capacity), this, false);
        shutdown = new Shutdown(this);
    }

    /// An executor for work that blocks: each turn is a virtual thread.
    public static SerialExecutor onVirtualThreads() {
        return new SerialExecutor(SerialExecutor::startVirtually);
    }

    private static void startVirtually(Runnable task) {
        Thread _ = Thread.startVirtualThread(task);
    }

    private static VarHandle turnHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(SerialExecutor.class, "turn", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- any thread ----

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == runner;
    }

    @Override
    public void execute(Runnable task) {
        agenda.accept(task);
        ask();
    }

    @Override
    public void executeUnbounded(Runnable task) {
        agenda.acceptUnbounded(task);
        ask();
    }

    /// Sees to it that what was just written is looked at. As with `Wake`, both sides write, fence,
    /// then look: the thread with the turn gives it up, then looks for tasks; others publish a
    /// task, then look whether there is a turn.
    private void ask() {
        if (inLoop()) {
            return;
        }
        VarHandle.fullFence();
        int seen = turn;
        if (seen == NONE && TURN.compareAndSet(this, NONE, ASKED)) {
            if (handOver()) {
                run();
            }
        } else if (seen == ASKED && mayDrop()) {
            startVirtually(this::run);
        }
    }

    /// A turn on its way. An executor that would run it at once, on the thread that gives it away,
    /// as the caller's, only makes it say so: turns inside turns would have no end while there is
    /// something to do.
    private final class Turn implements Runnable {
        /// Until it has been given away: null, or another, to any other thread.
        @Nullable Thread giver = Thread.currentThread();

        boolean here;

        @Override
        public void run() {
            if (giver == Thread.currentThread()) {
                here = true;
            } else {
                SerialExecutor.this.run();
            }
        }
    }

    /// True when the turn is to be run here.
    private boolean handOver() {
        Turn next = new Turn();
        try {
            executor.execute(next);
        } catch (Throwable t) {
            Faults.report("an executor refused a turn", t);
            startVirtually(this::run);
            return false;
        } finally {
            next.giver = null;
        }
        if (!next.here && mayDrop()) {
            startVirtually(this::run);
        }
        return next.here;
    }

    /// True for a pool that has been shut down: a turn that it has taken, or has seemed to take,
    /// may never come.
    private boolean mayDrop() {
        return executor instanceof ExecutorService pool && pool.isShutdown();
    }

    @Override
    public Timeout schedule(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return agenda.schedule(task, initialDelay, period, unit);
    }

    @Override
    public Timeout scheduleCoarse(Runnable task, long delay, TimeUnit unit) {
        return agenda.scheduleCoarse(task, delay, unit);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public int pendingTasks() {
        return agenda.size();
    }

    @Override
    public boolean isBusy() {
        return agenda.isBusy();
    }

    /// {@inheritDoc}
    ///
    /// The executor that runs the tasks goes on.
    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        shutdown.request(quietPeriod, timeout);
        ask();
        return shutdown.terminated();
    }

    @Override
    public boolean isShuttingDown() {
        return shutdown.isRequested();
    }

    @Override
    public Future<Void> terminationFuture() {
        return shutdown.terminated();
    }

    @Override
    public String toString() {
        return "SerialExecutor(" + executor + ")";
    }

    // ---- who has the turn ----

    private void run() {
        boolean again = true;
        while (again) {
            again = takeTurn() && handOver();
        }
    }

    /// True when there is more to do, in another turn, for which this has asked.
    private boolean takeTurn() {
        if (!TURN.compareAndSet(this, ASKED, TAKEN)) {
            return false; // somebody else has taken this turn
        }
        runner = Thread.currentThread();
        boolean more = false;
        try {
            more = round();
        } catch (Throwable t) {
            // Ours, not a callback's: no memory for a timer.
            Faults.report("a turn failed", t);
            more = true;
        }
        runner = null;
        if (isTerminated()) {
            return false; // with the turn: whoever asks, nothing is left to do
        }
        if (more) {
            turn = ASKED;
            return true;
        }
        turn = NONE;
        VarHandle.fullFence();
        return (agenda.hasTasks() || shutdown.isNew() || rang)
                && TURN.compareAndSet(this, NONE, ASKED);
    }

    /// True when there is more to do at once.
    private boolean round() {
        if (rang) {
            rang = false;
            alarm = null;
        }
        int ran = agenda.runTimers() + agenda.runTasks();
        long until = agenda.untilFirstTimer();
        if (ran > 0) {
            shutdown.ran(clock.nanoTime());
        }
        if (shutdown.isRequested()) {
            if (shutdown.isNew()) {
                shutdown.begin(clock.nanoTime());
            }
            long untilEnd = shutdown.untilEnd(clock.nanoTime(), !agenda.hasTasks());
            if (untilEnd <= 0) {
                end();
                return false;
            }
            until = Math.min(until, untilEnd);
        }
        if (agenda.hasTasks() || until <= 0) {
            return true;
        }
        if (until < Long.MAX_VALUE) {
            setAlarm(until);
        }
        return false;
    }

    private void end() {
        agenda.runDueTimers();
        agenda.closeTasks();
        agenda.closeUnbounded();
        if (alarm != null) {
            alarm.cancel(false);
        }
        shutdown.terminated().trySuccess(null);
    }

    /// An alarm that comes too early, for a timer since cancelled, only costs a turn in which
    /// nothing runs.
    private void setAlarm(long nanos) {
        long at = clock.nanoTime() + nanos;
        if (alarm != null) {
            if (alarmAt - at <= 0) {
                return;
            }
            alarm.cancel(false);
        }
        alarmAt = at;
        alarm = ForkJoinPool.commonPool().schedule(this::ring, nanos, TimeUnit.NANOSECONDS);
    }

    /// Also a moment after the end, when it was cancelled too late.
    void ring() {
        rang = true;
        ask();
    }
}
