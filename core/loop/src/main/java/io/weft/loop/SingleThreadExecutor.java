package io.weft.loop;

import io.weft.loop.guard.Faults;
import io.weft.loop.guard.ShutdownHooks;
import io.weft.loop.guard.Watch;
import io.weft.loop.queue.MpscQueue;
import io.weft.loop.queue.TaskQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An executor with one thread, which is started by the first task and lets a [LoopDriver] wait
/// between tasks.
///
/// Each round polls the driver, runs timers that are due, then tasks; timers and tasks at most for
/// about 16 ms each, so that I/O is not kept waiting for longer.
///
/// Going to sleep and being woken is the affair of `Wake`.
///
/// | field | written by | read | write |
/// |---|---|---|---|
/// | `thread` | the loop, once | plain: any other thread sees null or not itself | plain |
/// | `started` | under `startLock` | under `startLock` | under `startLock` |
/// | `watch` | the loop, once | volatile | volatile |
/// | `pulse` | see `Pulse` | | |
/// | `shutdown` request | the first to ask, once | volatile | volatile, under its lock; then fence and wake |
/// | `shutdown` progress | the loop | plain | plain |
/// | `rounds` | see `Rounds`, `Wake`, [MpscQueue], `Agenda`, `Timers` | | |
public final class SingleThreadExecutor implements EventExecutor {
    private final String name;
    private final ThreadFactory factory;
    private final LoopDriver driver;
    private final Clock clock;
    private final Rounds rounds;
    private final Agenda agenda;
    private final Shutdown shutdown;
    private final Wake wake;
    private final ShutdownHooks hooks = new ShutdownHooks();
    private final RejectionPolicy rejection;

    private final Object startLock = new Object();
    private @Nullable Thread started;

    private @Nullable Thread thread;
    private volatile @Nullable Watch watch;

    /// An executor without I/O, with defaults, whose thread is called `name`.
    public SingleThreadExecutor(String name) {
        this(new Builder(name));
    }

    private SingleThreadExecutor(Builder builder) {
        name = builder.name;
        factory = builder.factory;
        driver = new GuardedDriver(builder.driver);
        clock = builder.clock;
        agenda = new Agenda(this, clock, builder.queue.get(), this::enqueue, true);
        rejection = builder.rejection;
        rounds = new Rounds(this, driver, clock, agenda, true);
        shutdown = rounds.shutdown;
        wake = rounds.wake;
    }

    /// Returns a builder for an executor whose thread is called `name`.
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /// Collects what an executor is made of.
    public static final class Builder {
        private final String name;
        private ThreadFactory factory;
        private LoopDriver driver = LoopDriver.parking();
        private Clock clock = Clock.system();
        private Supplier<? extends TaskQueue<Runnable>> queue = () -> new MpscQueue<>(65_536);
        private RejectionPolicy rejection = RejectionPolicy.reject();

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
            factory = task -> new LoopThread(task, name);
        }

        /// Sets the factory that makes the thread. Default: a [LoopThread] that is no daemon, as
        /// the JVM's end must not cut off tasks that the loop has accepted; so a program has to
        /// shut its executors down. A virtual thread does for drivers that do not pin it.
        public Builder threadFactory(ThreadFactory factory) {
            this.factory = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /// Sets the driver that the loop runs between tasks. Default: it parks. A driver serves one
        /// executor.
        public Builder driver(LoopDriver driver) {
            this.driver = Objects.requireNonNull(driver, "driver");
            return this;
        }

        /// Sets the clock of the timers. Default: the JVM's. The driver is still told to wait for
        /// that many real nanoseconds.
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /// Sets the number of tasks that may wait, rounded up to a power of two. Default: 65,536.
        ///
        /// @throws IllegalArgumentException unless `queueCapacity` is in 1..2^30
        public Builder queueCapacity(int queueCapacity) {
            MpscQueue.checkCapacity(queueCapacity);
            return queue(() -> new MpscQueue<>(queueCapacity));
        }

        /// Lets any number of tasks wait: only for producers that are bounded by other means, else
        /// a burst that the loop cannot follow takes all memory.
        public Builder unboundedQueue() {
            return queue(() -> TaskQueue.of(new LinkedTransferQueue<>()));
        }

        /// Sets the queue of waiting tasks. Default: an [MpscQueue] for 65,536.
        ///
        /// @param queue makes a new one for each executor
        public Builder queue(Supplier<? extends TaskQueue<Runnable>> queue) {
            this.queue = Objects.requireNonNull(queue, "queue");
            return this;
        }

        /// Sets the policy for a task that finds the queue full. Default: `execute` throws.
        public Builder rejection(RejectionPolicy rejection) {
            this.rejection = Objects.requireNonNull(rejection, "rejection");
            return this;
        }

        /// The executor. Its thread starts with the first task.
        public SingleThreadExecutor build() {
            return new SingleThreadExecutor(this);
        }
    }

    // ---- any thread ----

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void execute(Runnable task) {
        // Before the task is queued: where no thread can be started the caller learns it, and
        // nothing is left behind.
        if (wake.isNotStarted()) {
            start();
        }
        if (agenda.offer(task)) {
            wakeIfAsleep();
        } else {
            rejection.rejected(task, this);
        }
    }

    /// False when the queue has stayed full, or the calling thread must not wait.
    boolean waitToOffer(Runnable task, int times, long pauseNanos) {
        if (inLoop() || Thread.currentThread() instanceof LoopThread) {
            return false;
        }
        for (int i = 0; i < times && !Thread.currentThread().isInterrupted(); i++) {
            LockSupport.parkNanos(this, pauseNanos);
            if (agenda.offer(task)) {
                wakeIfAsleep();
                return true;
            }
        }
        return false;
    }

    /// Like [#execute], but no policy may run the task elsewhere.
    private void enqueue(Runnable task) {
        if (wake.isNotStarted()) {
            start();
        }
        agenda.accept(task);
        wakeIfAsleep();
    }

    @Override
    public void executeUnbounded(Runnable task) {
        if (wake.isNotStarted()) {
            start();
        }
        agenda.acceptUnbounded(task);
        wakeIfAsleep();
    }

    /// Many may come here before the new thread has cleared `NOT_STARTED`; the first starts it, the
    /// others wait for that.
    private void start() {
        synchronized (startLock) {
            if (started == null) {
                Thread made = factory.newThread(this::run);
                if (made == null) {
                    throw new IllegalStateException("thread factory: null (expected: a thread)");
                }
                made.start();
                started = made; // not when start() threw: the next task tries again
            }
        }
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
    /// An executor that was never used starts its thread for this, as the driver is closed on it.
    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        shutdown.request(quietPeriod, timeout);
        if (wake.isNotStarted()) {
            start();
        }
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
    public int pendingTasks() {
        return agenda.size();
    }

    @Override
    public boolean isBusy() {
        return agenda.isBusy();
    }

    /// Interrupts the task that runs now: for one that blocks, and perhaps keeps the executor from
    /// ending. Every task and timer begins without an interrupt of the one before; a loop that
    /// waits only looks round once. Before the first task and after the end this does nothing.
    public void interrupt() {
        Thread loop;
        synchronized (startLock) {
            loop = started;
        }
        if (loop != null && !isTerminated()) {
            loop.interrupt();
        }
    }

    /// Returns the stage in this executor's life. A snapshot.
    public ExecutorState state() {
        if (isTerminated()) {
            return ExecutorState.TERMINATED;
        }
        if (shutdown.isRequested()) {
            return ExecutorState.SHUTTING_DOWN;
        }
        return wake.isNotStarted() ? ExecutorState.NOT_STARTED : ExecutorState.RUNNING;
    }

    /// Has `hook` run on the loop after the last task, after the driver was closed, and before the
    /// [termination future][#terminationFuture] succeeds. Hooks run in the order in which they were
    /// added. A hook may add others, but can no longer run tasks or timers. If one throws, the
    /// exception is logged and the others run.
    ///
    /// @throws RejectedExecutionException when the last hook has run
    public void addShutdownHook(Runnable hook) {
        hooks.add(Objects.requireNonNull(hook, "hook"));
    }

    /// Drops the first hook that equals `hook`.
    ///
    /// @return false if there is no such hook, or it has begun to run
    public boolean removeShutdownHook(Runnable hook) {
        return hooks.remove(hook);
    }

    @Override
    public String toString() {
        return "SingleThreadExecutor(" + name + ")";
    }

    @Override
    public LoopStatistics statistics() {
        Watch watched = watch;
        return new LoopStatistics(
                agenda.tasksTaken(),
                agenda.size(),
                agenda.lagNanos(),
                watched == null ? 0 : watched.busyNanos(),
                watched == null ? 0 : watched.longestHoldNanos());
    }

    // ---- the loop ----

    private void watch() {
        try {
            watch = Watchdog.watch(this, rounds.pulse, agenda::tasksTaken);
        } catch (Throwable t) {
            Faults.report("a loop goes unwatched", t);
        }
    }

    private void run() {
        thread = Thread.currentThread();
        wake.started();
        if (thread instanceof LoopThread loop) {
            loop.pulse = rounds.pulse;
        }
        driver.start();
        // Not before: an engine that starts links its system calls, which is no task that holds the
        // loop.
        watch();
        while (!round()) {}
        end();
    }

    /// True when the executor may end.
    private boolean round() {
        try {
            int _ = rounds.round(Long.MAX_VALUE);
            return rounds.isOver();
        } catch (Throwable t) {
            // Ours, not a callback's: no memory for a timer, or a clock that throws.
            Faults.report("a round of the loop failed", t);
            LockSupport.parkNanos(this, GuardedDriver.PAUSE_NANOS);
            return false;
        }
    }

    private void end() {
        rounds.end();
        hooks.run();
        LoopLocal.removeAll();
        Watchdog.forget(this);
        shutdown.terminated().trySuccess(null);
    }
}
