package io.weft.eventloop;

import io.weft.engine.Engine;
import io.weft.engine.ReadyHandle;
import io.weft.loop.Clock;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.LoopDriver;
import io.weft.loop.LoopStatistics;
import io.weft.loop.ManualExecutor;
import io.weft.loop.SingleThreadExecutor;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An executor that moves the bytes of its channels between tasks: one thread, one engine.
public final class EventLoop implements EventExecutor {
    private final LoopEngine engine;
    private final EventExecutor executor;

    /// The thread in this loop, once known: the quickest check there is, which handlers make with
    /// each event. Of a loop with a thread of its own it is learnt when it first asks.
    private volatile @Nullable Thread thread;

    /// A loop with a thread of its own, which starts with the first task.
    ///
    /// @param engine becomes the loop's
    public EventLoop(Engine engine, String threadName) {
        this.engine = new LoopEngine(this, engine);
        this.executor =
                SingleThreadExecutor.builder(threadName)
                        .driver(new EngineDriver(this, engine))
                        .build();
    }

    /// A loop that its caller drives, by its [#executor]. [ManualEventLoop] has the methods for it.
    ///
    /// @param engine becomes the loop's
    public EventLoop(Engine engine, Clock clock) {
        this(engine, driver -> new ManualExecutor(clock, driver));
    }

    /// A loop that takes turns with others on one thread.
    static EventLoop stepped(Engine engine, Clock clock) {
        return new EventLoop(engine, driver -> ManualExecutor.stepped(clock, driver));
    }

    private EventLoop(Engine engine, Function<LoopDriver, ManualExecutor> executor) {
        this.engine = new LoopEngine(this, engine);
        this.executor = executor.apply(new EngineDriver(this, engine));
    }

    /// A thread drives this loop from now on, or none.
    void entered(@Nullable Thread driving) {
        thread = driving;
    }

    /// Returns the engine, for layers that build on it.
    public LoopEngine engine() {
        return engine;
    }

    // ---- descriptors of others ----

    /// Watches a descriptor that another owner keeps. Watching begins with [Readiness#interest].
    /// Loop only.
    ///
    /// @throws IOException when the kernel cannot watch it
    /// @throws UnsupportedOperationException when this loop's engine watches no descriptors (NIO)
    /// @throws RejectedExecutionException when the loop shuts down
    public Readiness watch(int descriptor, Readiness.Listener listener) throws IOException {
        return watch(listener, made -> engine.watch(descriptor, made.events()));
    }

    /// As [#watch(int, Readiness.Listener)], for a channel of the JDK that does not block.
    ///
    /// @throws UnsupportedOperationException when this loop's engine watches no such channels
    ///     (io_uring, epoll)
    public Readiness watch(SelectableChannel channel, Readiness.Listener listener)
            throws IOException {
        return watch(listener, made -> engine.watch(channel, made.events()));
    }

    private interface Watcher {
        ReadyHandle watch(Readiness made) throws IOException;
    }

    private Readiness watch(Readiness.Listener listener, Watcher by) throws IOException {
        if (!inLoop()) {
            throw new IllegalStateException(
                    "watch: on " + Thread.currentThread() + " (expected: the loop's thread)");
        }
        if (!engine.isOpen()) {
            throw engine.rejection();
        }
        Readiness made = new Readiness(this, listener);
        made.watchedBy(by.watch(made));
        Watches.of(this).opened(made);
        return made;
    }

    /// Returns the executor of its tasks, which is a [ManualExecutor] where the caller drives it.
    public EventExecutor executor() {
        return executor;
    }

    /// Returns true if its caller drives it, who may drop it without closing it.
    public boolean isManual() {
        return executor instanceof ManualExecutor;
    }

    /// Checks that the caller is on the loop.
    ///
    /// @param operation for the message
    /// @throws IllegalStateException elsewhere
    public void requireLoop(String operation) {
        if (!inLoop()) {
            throw new IllegalStateException(
                    operation + ": on " + Thread.currentThread() + " (expected: on " + this + ")");
        }
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread || isFirstAskedInLoop();
    }

    @Override
    public boolean isDriver() {
        return inLoop() || executor.isDriver();
    }

    private boolean isFirstAskedInLoop() {
        boolean within = executor.inLoop();
        if (within) {
            thread = Thread.currentThread();
        }
        return within;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void executeUnbounded(Runnable task) {
        executor.executeUnbounded(task);
    }

    @Override
    public Timeout schedule(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return executor.schedule(task, initialDelay, period, unit);
    }

    @Override
    public Timeout scheduleCoarse(Runnable task, long delay, TimeUnit unit) {
        return executor.scheduleCoarse(task, delay, unit);
    }

    @Override
    public Clock clock() {
        return executor.clock();
    }

    @Override
    public int pendingTasks() {
        return executor.pendingTasks();
    }

    @Override
    public boolean isBusy() {
        return executor.isBusy();
    }

    @Override
    public LoopStatistics statistics() {
        return executor.statistics();
    }

    @Override
    public Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        return executor.shutdownGracefully(quietPeriod, timeout);
    }

    @Override
    public boolean isShuttingDown() {
        return executor.isShuttingDown();
    }

    @Override
    public Future<Void> terminationFuture() {
        return executor.terminationFuture();
    }

    @Override
    public String toString() {
        return "EventLoop[" + executor + "]";
    }
}
