package io.weft.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A fixed number of executors that share work. Tasks keep their order only on the same executor:
/// those with the same [key][#execute(Object, Runnable)], or those given to one of the
/// [#executors].
///
/// Every method may be called from any thread.
public final class EventExecutorGroup implements Executor, AutoCloseable {
    private final List<EventExecutor> executors;
    private final ExecutorChooser chooser;

    private EventExecutorGroup(List<? extends EventExecutor> executors, ExecutorChooser chooser) {
        if (executors.isEmpty()) {
            throw new IllegalArgumentException("executors: 0 (expected: >= 1)");
        }
        this.executors = List.copyOf(executors);
        this.chooser = Objects.requireNonNull(chooser, "chooser");
    }

    /// A group of `threads` executors with one thread each, started by its first task and called
    /// `name-0`, `name-1` …. Tasks without a key go to one after the other.
    public static EventExecutorGroup create(String name, int threads) {
        return builder(name, threads).build();
    }

    /// A group of executors that exist; it shuts them down when it is shut down. Any executor does,
    /// a [SerialExecutor] too.
    public static EventExecutorGroup of(
            List<? extends EventExecutor> executors, ExecutorChooser chooser) {
        return new EventExecutorGroup(executors, chooser);
    }

    /// Returns a builder for a group of `threads` executors.
    ///
    /// @throws IllegalArgumentException unless `threads` is in 1..1024
    public static Builder builder(String name, int threads) {
        return new Builder(name, threads);
    }

    /// Collects what a group is made of.
    public static final class Builder {
        private final String name;
        private final int threads;
        private @Nullable ThreadFactory factory;
        private ExecutorChooser chooser = ExecutorChooser.roundRobin();
        private UnaryOperator<SingleThreadExecutor.Builder> settings = UnaryOperator.identity();

        private Builder(String name, int threads) {
            if (threads < 1 || threads > 1024) {
                throw new IllegalArgumentException("threads: " + threads + " (expected: 1..1024)");
            }
            this.name = Objects.requireNonNull(name, "name");
            this.threads = threads;
        }

        /// Sets the factory that makes the threads, and names them. Default: that of
        /// [SingleThreadExecutor.Builder#threadFactory].
        public Builder threadFactory(ThreadFactory factory) {
            this.factory = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /// Sets the chooser of the executor for a task without a key. Default:
        /// [ExecutorChooser#roundRobin].
        public Builder chooser(ExecutorChooser chooser) {
            this.chooser = Objects.requireNonNull(chooser, "chooser");
            return this;
        }

        /// Sets a function that makes further settings of each executor; called once an executor.
        public Builder executors(UnaryOperator<SingleThreadExecutor.Builder> settings) {
            this.settings = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /// The group. Its threads start with their first tasks. When one of the executors cannot be
        /// made, those before it are shut down, so that their drivers are closed.
        public EventExecutorGroup build() {
            var made = new ArrayList<EventExecutor>(threads);
            for (int i = 0; i < threads; i++) {
                SingleThreadExecutor.Builder one = SingleThreadExecutor.builder(name + "-" + i);
                if (factory != null) {
                    one.threadFactory(factory);
                }
                try {
                    made.add(settings.apply(one).build());
                } catch (Throwable t) {
                    end(made, t);
                    throw t;
                }
            }
            return new EventExecutorGroup(made, chooser);
        }
    }

    /// Shuts the executors down, as the drivers that they have been given may hold descriptors.
    private static void end(List<EventExecutor> made, Throwable why) {
        for (EventExecutor executor : made) {
            try {
                var _ = executor.shutdownGracefully();
            } catch (Throwable t) {
                why.addSuppressed(t);
            }
        }
    }

    /// The executors, in an order that stays.
    public List<EventExecutor> executors() {
        return executors;
    }

    /// The executor that the chooser picks now.
    public EventExecutor next() {
        return chooser.choose(executors);
    }

    /// The executor of `key`: always the same for keys that are equal.
    public EventExecutor executorOf(Object key) {
        // Fibonacci hashing: spreads keys that count up evenly, whatever the number of executors.
        long spread = (key.hashCode() * 0x9E3779B9L) & 0xFFFF_FFFFL;
        return executors.get((int) ((spread * executors.size()) >>> 32));
    }

    /// Runs `task` later on the [next][#next] executor.
    ///
    /// @throws RejectedExecutionException as [EventExecutor#execute] does; no other executor is
    ///     tried
    @Override
    public void execute(Runnable task) {
        next().execute(task);
    }

    /// Runs `task` later on the [executor of `key`][#executorOf]: tasks with the same key run in
    /// the order in which they were accepted, one at a time.
    ///
    /// @throws RejectedExecutionException as [EventExecutor#execute] does
    public void execute(Object key, Runnable task) {
        executorOf(key).execute(task);
    }

    /// Runs `task` later on the [next][#next] executor.
    ///
    /// @throws RejectedExecutionException as [EventExecutor#submit] does
    public <V> Future<V> submit(Callable<V> task) {
        return next().submit(task);
    }

    /// Returns the number of tasks that wait on all executors. A snapshot.
    public int pendingTasks() {
        long sum = 0;
        for (EventExecutor executor : executors) {
            sum += executor.pendingTasks();
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /// Ends every executor as soon as it has nothing to do, in 15 seconds at the latest.
    public CompletionStage<Void> shutdownGracefully() {
        return shutdownGracefully(Duration.ZERO, Duration.ofSeconds(15));
    }

    /// Asks each executor to [shut down][EventExecutor#shutdownGracefully], all before any is
    /// waited for, so that both durations hold for the group as a whole. One that fails to does not
    /// keep the others from ending.
    ///
    /// @return succeeds when all have terminated, and may not be waited for by any of them; when
    ///     some cannot be shut down it fails, after the others have ended, with what the first of
    ///     them threw; the rest is suppressed in it
    /// @throws IllegalArgumentException when a duration is negative
    public CompletionStage<Void> shutdownGracefully(Duration quietPeriod, Duration timeout) {
        Shutdown.check(quietPeriod, timeout);
        var ends = new ArrayList<CompletionStage<Void>>(executors.size());
        for (EventExecutor executor : executors) {
            try {
                ends.add(executor.shutdownGracefully(quietPeriod, timeout).toCompletionStage());
            } catch (Throwable t) {
                ends.add(CompletableFuture.failedStage(t));
            }
        }
        var begin = new LoopStage<@Nullable Throwable>(this::drivesAny, this::inAnyLoop);
        begin.complete(null);
        CompletionStage<@Nullable Throwable> failure = begin;
        for (CompletionStage<Void> end : ends) {
            failure =
                    failure.thenCombine(
                            end.<@Nullable Throwable>handle((_, t) -> t),
                            EventExecutorGroup::first);
        }
        return failure.thenCompose(
                t ->
                        t == null
                                ? CompletableFuture.completedStage(null)
                                : CompletableFuture.failedStage(t));
    }

    private boolean drivesAny() {
        return executors.stream().anyMatch(EventExecutor::isDriver);
    }

    private boolean inAnyLoop() {
        return executors.stream().anyMatch(EventExecutor::inLoop);
    }

    private static @Nullable Throwable first(@Nullable Throwable one, @Nullable Throwable two) {
        if (one == null || two == null || one == two) {
            return one == null ? two : one;
        }
        one.addSuppressed(two);
        return one;
    }

    /// True when every executor has been asked to shut down.
    public boolean isShuttingDown() {
        return executors.stream().allMatch(EventExecutor::isShuttingDown);
    }

    /// True when every executor has terminated.
    public boolean isTerminated() {
        return executors.stream().allMatch(EventExecutor::isTerminated);
    }

    /// Shuts down and waits for the end.
    ///
    /// @throws BlockingOperationException when called by one of the executors
    @Override
    public void close() {
        for (EventExecutor executor : executors) {
            if (executor.inLoop() || (executor.isDriver() && !executor.isTerminated())) {
                throw new BlockingOperationException(
                        "close by " + executor + " (expected: a thread outside of the group)");
            }
        }
        shutdownGracefully().toCompletableFuture().join();
    }

    @Override
    public String toString() {
        return "EventExecutorGroup" + executors;
    }
}
