package io.weft.loop;

import io.weft.loop.queue.MpscQueue;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// An executor without a thread: its tasks run on the thread that drives it.
///
/// With a clock of the system's and a driver that waits it makes a caller's thread a loop: [#run]
/// goes round once, and [#wakeUp] lets it return from another thread. With a [ManualClock] it goes
/// by virtual time, which [#advance] moves, for tests, for the in-memory channel, for simulations;
/// the same calls in the same order always give the same run.
///
/// **The thread in the loop** is the one that created it. While another thread drives it, that one
/// is in the loop instead. A [stepped][#stepped] one has a thread in the loop only while a thread
/// drives it. One thread drives at a time. [#execute], [#wakeUp] and the timers' methods may be
/// called from any thread, as for any executor.
///
/// Exceptions that tasks throw are logged, but those that the driver throws come out of the call
/// that drives.
public final class ManualExecutor implements EventExecutor {
    /// Null if no thread is in the loop while none drives it.
    private final @Nullable Thread creator;

    /// Of one without a creator: the thread that takes its turns.
    private volatile @Nullable Thread stepper;

    private final AtomicReference<@Nullable Thread> driving = new AtomicReference<>();

    /// The thread in the loop: the one that drives, else the creator.
    private volatile @Nullable Thread inLoop;

    private final LoopDriver driver;
    private final Clock clock;
    private final Agenda agenda;
    private final Shutdown shutdown;
    private final Rounds rounds;

    /// An executor with a [ManualClock] at 0 and no I/O.
    public ManualExecutor() {
        this(new ManualClock());
    }

    /// An executor that goes by `clock`, without I/O, and never waits.
    public ManualExecutor(Clock clock) {
        this(clock, NoDriver.INSTANCE);
    }

    /// An executor that goes by `clock`, and has `driver` wait when it is [run][#run].
    public ManualExecutor(Clock clock, LoopDriver driver) {
        this(clock, driver, Thread.currentThread());
    }

    /// One of several executors that take turns on one thread: each is as strange to the others as
    /// if it had its own, and no thread is in the loop between its turns.
    public static ManualExecutor stepped(Clock clock, LoopDriver driver) {
        return new ManualExecutor(clock, driver, null);
    }

    private ManualExecutor(Clock clock, LoopDriver driver, @Nullable Thread creator) {
        this.creator = creator;
        stepper = creator == null ? Thread.currentThread() : null;
        this.driver = driver;
        this.clock = clock;
        agenda = new Agenda(this, clock, new MpscQueue<>(65_536), this, false);
        rounds = new Rounds(this, driver, clock, agenda, false);
        shutdown = rounds.shutdown;
        rounds.wake.started();
        enter(creator);
        driver.start();
    }

    // ---- who drives ----

    /// Goes round once without waiting: polls the driver, runs timers that are due, then tasks.
    /// Ends the executor if it has been asked to and has nothing to do; when it has ended, this
    /// does nothing.
    ///
    /// @return how many timers and tasks ran
    /// @throws IllegalStateException when another thread is driving, or when called from a task
    public int runNow() {
        return run(0);
    }

    /// Goes round once, like [#runNow], but lets the driver wait first if there is nothing to do:
    /// for I/O, a task, a timer or [#wakeUp]; at most for `atMost`. If the caller is interrupted
    /// already, it does not wait, and keeps the flag. Whether an interrupt that comes later ends
    /// the wait is the driver's affair.
    ///
    /// @return how many timers and tasks ran
    /// @throws IllegalArgumentException when `atMost` is negative
    /// @throws IllegalStateException when another thread is driving, or when called from a task
    public int run(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("atMost: " + atMost + " (expected: >= 0)");
        }
        boolean fits = atMost.compareTo(Duration.ofNanos(Timers.MAX_DELAY)) < 0;
        return run(fits ? atMost.toNanos() : Long.MAX_VALUE);
    }

    private int run(long mostNanos) {
        if (drive() != null) {
            throw driven(Thread.currentThread());
        }
        try {
            return round(mostNanos);
        } finally {
            leave();
        }
    }

    /// Runs tasks, and timers that are due, until there are none left; those that come along
    /// meanwhile too, so a task that always posts another never lets this return. Ends the executor
    /// if it has been asked to and has nothing to do. Never waits, and may be called from a task,
    /// where the driver allows for it.
    ///
    /// @return how many ran
    /// @throws IllegalStateException when another thread is driving
    public int runPending() {
        Thread before = drive();
        try {
            int total = 0;
            int ran;
            do {
                boolean begins = shutdown.isNew();
                ran = round(0);
                total += ran;
                if (begins) {
                    ran++; // what the driver has posted when it heard of it is still to run
                }
            } while (ran > 0);
            return total;
        } finally {
            if (before == null) {
                leave();
            }
        }
    }

    /// Null, or this thread when it drives already.
    private @Nullable Thread drive() {
        Thread me = Thread.currentThread();
        Thread other = driving.compareAndExchange(null, me);
        if (other == null) {
            enter(me);
            if (creator == null) {
                stepper = me;
            }
        } else if (other != me) {
            throw driven(other);
        }
        return other;
    }

    private void leave() {
        enter(creator);
        driving.set(null);
    }

    private void enter(@Nullable Thread thread) {
        if (thread != inLoop) {
            inLoop = thread;
            driver.entered(thread);
        }
    }

    private static IllegalStateException driven(Thread by) {
        return new IllegalStateException("driven by " + by + " (expected: one thread, once)");
    }

    private int round(long mostNanos) {
        if (isTerminated()) {
            return 0;
        }
        int ran = rounds.round(mostNanos);
        rounds.noteRan();
        if (rounds.isOver()) {
            try {
                rounds.end();
            } finally {
                shutdown.terminated().trySuccess(null);
            }
        }
        return ran;
    }

    /// Runs what is pending, then moves the clock by `duration`, from deadline to deadline: each
    /// timer that becomes due on the way runs at its time, and before any that is due later.
    ///
    /// @throws IllegalArgumentException when `duration` is negative or above 146 years
    /// @throws IllegalStateException when the clock is no [ManualClock], or another thread is
    ///     driving
    public void advance(Duration duration) {
        if (duration.isNegative() || duration.compareTo(Duration.ofNanos(Timers.MAX_DELAY)) > 0) {
            throw new IllegalArgumentException(
                    "duration: " + duration + " (expected: 0..146 years)");
        }
        if (!(clock instanceof ManualClock manual)) {
            throw new IllegalStateException("clock: " + clock + " (expected: a ManualClock)");
        }
        long target = clock.nanoTime() + duration.toNanos();
        int _ = runPending();
        for (long left; (left = target - clock.nanoTime()) > 0; ) {
            manual.advance(Math.clamp(untilNext(), 0, left));
            int _ = runPending();
        }
    }

    /// Nanoseconds on the clock until there is something to do: the first timer is due, or a
    /// shutdown may end; at most 0 if there is now, `Long.MAX_VALUE` if only I/O or a task from
    /// elsewhere can change that. For a caller that waits by itself, or moves the time of several
    /// executors together. Only for the thread that drives.
    public long untilNext() {
        if (isTerminated()) {
            return Long.MAX_VALUE;
        }
        return agenda.hasTasks() || shutdown.isNew() ? 0 : rounds.untilNext();
    }

    // ---- any thread ----

    /// Makes a [#run] that waits now, or else the next one that would, return.
    public void wakeUp() {
        if (!isTerminated()) {
            rounds.wakeUp();
        }
    }

    @Override
    public int pendingTasks() {
        return agenda.size();
    }

    @Override
    public boolean isBusy() {
        return agenda.isBusy();
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == inLoop;
    }

    /// {@inheritDoc}
    ///
    /// Of a [stepped][#stepped] one: the thread that drove it last, at first the one that made it.
    @Override
    public boolean isDriver() {
        Thread current = Thread.currentThread();
        return current == inLoop || current == stepper;
    }

    @Override
    public void execute(Runnable task) {
        agenda.accept(task);
        wakeIfAsleep();
    }

    @Override
    public void executeUnbounded(Runnable task) {
        agenda.acceptUnbounded(task);
        wakeIfAsleep();
    }

    private void wakeIfAsleep() {
        if (!inLoop()) {
            rounds.wakeIfAsleep();
        }
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

    /// {@inheritDoc}
    ///
    /// Completes only while a thread drives this executor.
    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        shutdown.request(quietPeriod, timeout);
        wakeIfAsleep();
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
        return "ManualExecutor(" + clock + ")";
    }
}
