package io.weft.channel;

import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.Clock;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.LoopDriver;
import io.weft.loop.LoopStatistics;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import io.weft.loop.SingleThreadExecutor;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An executor that moves the bytes of its channels between tasks: one thread, one engine.
public final class EventLoop implements EventExecutor {
    private final Engine engine;
    private final EventExecutor executor;

    private final OpenResources open = new OpenResources();

    private final Lingering lingering = new Lingering(this);

    /// The one thread of this loop, once known: the quickest check there is. Others see null or not
    /// themselves. Null of a loop that is driven by its caller, who may change.
    private @Nullable Thread thread;

    /// Rounds of input and output so far; see [#nextTurn].
    private long turn;

    private final ArrayDeque<Outbound> sendOn = new ArrayDeque<>(0);

    private boolean shuttingDown;

    /// Why the engine did not start; null when it did.
    private @Nullable Throwable startFailure;

    /// A loop with a thread of its own, which starts with the first task.
    EventLoop(Engine engine, String threadName) {
        this.engine = engine;
        this.executor = SingleThreadExecutor.builder(threadName).driver(new Driver()).build();
    }

    /// A loop that its caller drives.
    EventLoop(Engine engine, Clock clock) {
        this.engine = engine;
        this.executor = new ManualExecutor(clock, new Driver());
    }

    /// A loop that takes turns with others on one thread.
    static EventLoop stepped(Engine engine, Clock clock) {
        return new EventLoop(engine, driver -> ManualExecutor.stepped(clock, driver));
    }

    private EventLoop(Engine engine, Function<LoopDriver, ManualExecutor> executor) {
        this.engine = engine;
        this.executor = executor.apply(new Driver());
    }

    /// Does what the engine does between tasks, and ends the channels before the loop ends.
    ///
    /// An engine that does not start leaves a loop that opens no channel and says why, but runs its
    /// tasks, and ends.
    private final class Driver implements LoopDriver {
        /// Driver that moves the loop: the engine, or in its place one that only sleeps.
        private volatile LoopDriver moving = engine;

        /// The thread that has its blocks from this. One that had some before keeps them: it may
        /// drive several loops.
        private @Nullable Thread attached;

        @Override
        public void start() {
            // The first receive may come when descriptors have run out, and then no class can be
            // loaded.
            BufferAllocator.pooled().allocate(1).release();
            if (BufferAllocator.pooled().attachThread(() -> executor.execute(() -> {}))) {
                attached = Thread.currentThread();
            }
            try {
                engine.start();
            } catch (Throwable t) {
                Log.failure("an engine did not start; its loop opens no channels", t);
                startFailure = t;
                LoopDriver parking = LoopDriver.parking();
                parking.start();
                moving = parking;
            }
        }

        @Override
        public void poll(long timeoutNanos) {
            // Also wakes a loop that would sleep on memory which nobody needs any more.
            long untilTrim = BufferAllocator.pooled().idle(executor.clock().nanoTime());
            boolean waits = sendOn.isEmpty();
            moving.poll(waits ? Math.min(timeoutNanos, untilTrim) : 0);
            turn++;
            if (!waits) {
                sendOn();
            }
        }

        @Override
        public void wakeup() {
            moving.wakeup();
        }

        @Override
        public void shuttingDown() {
            shuttingDown = true;
            open.closeAll();
        }

        @Override
        public boolean isIdle() {
            return open.isEmpty() && engine.isIdle();
        }

        @Override
        public void close() {
            try {
                open.abortAll();
                lingering.end();
            } finally {
                try {
                    engine.close();
                } finally {
                    if (attached == Thread.currentThread()) {
                        BufferAllocator.pooled().detachThread();
                    }
                }
            }
        }
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
        if (!takesChannels()) {
            throw rejection();
        }
        Readiness made = new Readiness(this, listener);
        made.watchedBy(by.watch(made));
        open.opened(made);
        return made;
    }

    /// Returns the number of rounds of input and output so far.
    long turn() {
        return turn;
    }

    /// False where the caller drives: it goes on as long as something runs, and may be its
    /// channels' peer, which reads what it has just written.
    boolean boundsTurns() {
        return !isManual();
    }

    /// Lets `outbound` send on after the next round of input and output.
    void nextTurn(Outbound outbound) {
        sendOn.add(outbound);
    }

    /// Only those that have waited for this turn.
    private void sendOn() {
        for (int count = sendOn.size(); count > 0; count--) {
            sendOn.remove().nextTurn();
        }
    }

    Engine engine() {
        return engine;
    }

    /// Listens where `address` belongs: on the engine, or with the provider of its class.
    ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        EndpointProvider provider = Endpoints.FOUND.at(address);
        return provider == null
                ? engine.listen(address, options, events)
                : provider.listen(this, engine, address, options, events);
    }

    /// Connects to where `address` belongs.
    StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        EndpointProvider provider = Endpoints.FOUND.at(address);
        return provider == null
                ? engine.connect(address, options, events)
                : provider.connect(this, engine, address, options, events);
    }

    /// Makes what a listener accepted a stream of this loop.
    StreamHandle adopt(Accepted accepted, StreamEvents events) throws IOException {
        return accepted.adopt(this, engine, events);
    }

    EventExecutor executor() {
        return executor;
    }

    /// Driven by its caller, who may drop it without closing it.
    boolean isManual() {
        return executor instanceof ManualExecutor;
    }

    /// @throws IllegalStateException elsewhere than on the loop
    void requireLoop(String operation) {
        if (Thread.currentThread() != thread) {
            learnThread(operation);
        }
    }

    private void learnThread(String operation) {
        Thread current = Thread.currentThread();
        if (!executor.inLoop()) {
            throw new IllegalStateException(
                    operation + ": on " + current + " (expected: on " + this + ")");
        }
        if (!isManual()) {
            thread = current;
        }
    }

    boolean takesChannels() {
        return !shuttingDown && startFailure == null;
    }

    RejectedExecutionException rejection() {
        return startFailure == null
                ? new RejectedExecutionException(this + ": shutting down (expected: running)")
                : new RejectedExecutionException(this + ": its engine did not start", startFailure);
    }

    /// Work of a bootstrap on the loop.
    @FunctionalInterface
    interface Opening {
        void run() throws Exception;
    }

    /// Runs `opening` on the loop. If the loop takes no more, or it throws, `promise` fails.
    void executeOrFail(Promise<?> promise, Opening opening) {
        try {
            execute(
                    () -> {
                        if (promise.isDone()) {
                            return; // cancelled before it began
                        }
                        if (!takesChannels()) {
                            promise.tryFailure(rejection());
                            return;
                        }
                        try {
                            opening.run();
                        } catch (Throwable e) {
                            promise.tryFailure(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
        }
    }

    /// Runs what closes a channel, also when the queue is full. When the loop has ended, it has
    /// closed its channels.
    void executeClose(Runnable close) {
        try {
            executeUnbounded(close);
        } catch (RejectedExecutionException e) {
            // Closed already.
        }
    }

    /// The resources that are open on this loop. Loop only.
    OpenResources open() {
        return open;
    }

    /// Channels that wait for their peer's end, which have sent everything.
    Lingering lingering() {
        return lingering;
    }

    @Override
    public boolean inLoop() {
        return executor.inLoop();
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
