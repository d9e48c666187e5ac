package io.weft.loop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// An executor without a thread: its tasks run when somebody drives it, in virtual time. For tests, for the in-memory
/// channel, for simulations; the same calls in the same order always give the same run.
///
/// **Who is in the loop:** the thread that created it, or, while another thread drives it, that one instead. One thread
/// drives at a time; [#runPending] and [#advance] may be called from a task. [#execute] and the timers' methods may be
/// called from any thread, as for any executor.
public final class ManualExecutor implements EventExecutor {
    private final Thread creator = Thread.currentThread();
    private final AtomicReference<@Nullable Thread> driving = new AtomicReference<>();
    private final ManualClock clock;
    private final LoopDriver driver;
    private final Agenda agenda;
    private final Shutdown shutdown;

    /// An executor with a clock at 0 and no I/O.
    public ManualExecutor() {
        this(new ManualClock());
    }

    /// An executor that goes by `clock` and moves it.
    public ManualExecutor(ManualClock clock) {
        this(clock, NoDriver.INSTANCE);
    }

    /// An executor that goes by `clock`, and polls `driver` without ever waiting.
    public ManualExecutor(ManualClock clock, LoopDriver driver) {
        this.clock = clock;
        this.driver = driver;
        agenda = new Agenda(this, clock, new MpscQueue<>(65_536), this);
        shutdown = new Shutdown(this);
        driver.start();
    }

    /// Runs tasks, and timers that are due, until there are none left; those that come along meanwhile too, so a task that
    /// always posts another never lets this return. Ends the executor if it has been asked to and has nothing to do.
    ///
    /// What tasks throw is logged, but what the driver throws comes out here.
    ///
    /// @return how many ran
    /// @throws IllegalStateException when another thread is driving
    public int runPending() {
        Thread me = Thread.currentThread();
        Thread other = driving.compareAndExchange(null, me);
        if (other != null && other != me) {
            throw new IllegalStateException("driven by " + other + " (expected: one thread)");
        }
        try {
            int total = 0;
            int ran;
            do {
                ran = round();
                total += ran;
            } while (ran > 0);
            return total;
        } finally {
            if (other == null) {
                driving.set(null);
            }
        }
    }

    private int round() {
        if (isTerminated()) {
            return 0;
        }
        driver.poll(0);
        int ran = agenda.runTimers() + agenda.runTasks();
        if (ran > 0) {
            shutdown.ran(clock.nanoTime());
        }
        if (shutdown.isNew()) {
            shutdown.begin(clock.nanoTime());
            driver.shuttingDown();
            return ran + 1; // not the last round: what that call has posted is still to run
        }
        if (ran == 0 && untilEnd() <= 0) {
            agenda.closeTasks();
            driver.close();
            agenda.closeUnbounded();
            shutdown.terminated().trySuccess(null);
        }
        return ran;
    }

    private long untilEnd() {
        return shutdown.untilEnd(clock.nanoTime(), driver.isIdle());
    }

    /// Runs what is pending, then moves the clock by `duration`, from deadline to deadline: each timer that becomes due on
    /// the way runs at its time, and before any that is due later.
    ///
    /// @throws IllegalArgumentException when `duration` is negative or above 146 years
    /// @throws IllegalStateException when another thread is driving
    public void advance(Duration duration) {
        if (duration.isNegative() || duration.compareTo(Duration.ofNanos(Timers.MAX_DELAY)) > 0) {
            throw new IllegalArgumentException(
                    "duration: " + duration + " (expected: 0..146 years)");
        }
        long target = clock.nanoTime() + duration.toNanos();
        runPending();
        for (long left; (left = target - clock.nanoTime()) > 0; ) {
            clock.advance(Math.clamp(untilNext(), 0, left));
            runPending();
        }
    }

    /// Nanoseconds until the next timer is due, or a shutdown may end; `Long.MAX_VALUE` if there is neither.
    private long untilNext() {
        return isTerminated() ? Long.MAX_VALUE : Math.min(agenda.untilFirstTimer(), untilEnd());
    }

    @Override
    public int pendingTasks() {
        return agenda.size();
    }

    @Override
    public boolean inLoop() {
        Thread me = Thread.currentThread();
        Thread driver = driving.get();
        return driver == null ? me == creator : me == driver;
    }

    @Override
    public void execute(Runnable task) {
        agenda.accept(task);
    }

    @Override
    public void executeUnbounded(Runnable task) {
        agenda.acceptUnbounded(task);
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
    public ManualClock clock() {
        return clock;
    }

    /// {@inheritDoc}
    ///
    /// It takes a [#runPending] or [#advance] to get there.
    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        shutdown.request(quietPeriod, timeout);
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
