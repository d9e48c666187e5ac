package io.weft.loop;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Runs tasks and timers one at a time, in the order in which they were accepted; a timer when it
/// is due. What a task throws is logged and ends neither the executor nor a periodic task.
///
/// Every method may be called from any thread.
public interface EventExecutor extends Executor {
    /// True when the calling thread is the one that runs this executor's tasks now.
    boolean inLoop();

    /// Tells if tasks of this executor run on the calling thread alone, which therefore cannot wait
    /// for them: [in the loop][#inLoop], and also between rounds on the thread that steps through
    /// several loops, as a simulation does.
    default boolean isDriver() {
        return inLoop();
    }

    /// Runs `task` later, also when called [in the loop][#inLoop].
    ///
    /// @throws RejectedExecutionException when the task queue is full or the executor has shut
    ///     down; the task is not run then
    @Override
    void execute(Runnable task);

    /// Runs `task` like [#execute], but accepts it also when the task queue is full: for
    /// completions, whose loss would hang a caller, and whose number is bounded by the operations
    /// in flight. One thread's tasks run in the order in which it handed them over, by whichever of
    /// the two methods. If completions at the end go on to bring about others, a million of them
    /// run, or some seconds of them; later ones are refused.
    ///
    /// @throws RejectedExecutionException when the executor has shut down
    default void executeUnbounded(Runnable task) {
        execute(task);
    }

    /// A promise whose listeners run on this executor.
    default <V> Promise<V> newPromise() {
        return new Promise<>(this);
    }

    /// Runs `task` later; the future fails with what it throws, and cannot be cancelled once it
    /// runs.
    ///
    /// @throws RejectedExecutionException as [#execute] does
    default <V> Future<V> submit(Callable<V> task) {
        Objects.requireNonNull(task, "task");
        Promise<V> promise = newPromise();
        execute(
                () -> {
                    if (!promise.setUncancellable()) {
                        return;
                    }
                    try {
                        promise.trySuccess(task.call());
                    } catch (Throwable t) {
                        promise.tryFailure(t);
                    }
                });
        return promise;
    }

    /// Runs `task` once, `delay` from now; at the next opportunity when that is not positive. Tasks
    /// with the same deadline run in the order in which they were scheduled, those of other threads
    /// in the order in which they get to the loop. Delays above 146 years are shortened to that.
    ///
    /// @throws RejectedExecutionException when the executor has shut down or, outside the loop, the
    ///     task queue is full
    default Timeout schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(task, delay, 0, unit);
    }

    /// Runs `task` once, as [#schedule(Runnable, long, TimeUnit)] does.
    ///
    /// @throws RejectedExecutionException as [#schedule(Runnable, long, TimeUnit)] does
    default Timeout schedule(Runnable task, Duration delay) {
        return schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
    }

    /// Runs `task` at `initialDelay` from now, and each `period` after the deadline before. When
    /// several runs have been missed, because the loop was held up, the process stopped or the
    /// clock jumped, only the last is made up for: unlike those of a `ScheduledExecutorService`,
    /// they do not come in a burst.
    ///
    /// @throws IllegalArgumentException when `period` is not positive
    /// @throws RejectedExecutionException as [#schedule(Runnable, long, TimeUnit)] does
    default Timeout scheduleAtFixedRate(
            Runnable task, long initialDelay, long period, TimeUnit unit) {
        return schedule(task, initialDelay, Timers.checkPeriod("period", period), unit);
    }

    /// Runs `task` at `initialDelay` from now, and each time `delay` after the end of the run
    /// before.
    ///
    /// @throws IllegalArgumentException when `delay` is not positive
    /// @throws RejectedExecutionException as [#schedule(Runnable, long, TimeUnit)] does
    default Timeout scheduleWithFixedDelay(
            Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return schedule(task, initialDelay, -Timers.checkPeriod("delay", delay), unit);
    }

    /// Runs `task` at `initialDelay` from now: once if `period` is 0, at a fixed rate if it is
    /// positive, with a fixed delay of `-period` if it is negative. The other three methods come to
    /// this one, which an executor implements.
    ///
    /// @throws RejectedExecutionException as [#schedule(Runnable, long, TimeUnit)] does
    Timeout schedule(Runnable task, long initialDelay, long period, TimeUnit unit);

    /// Runs `task` once, `delay` from now or later: by at most a 16th of the delay, or 2^20 ns
    /// (1.05 ms) if that is more. For timeouts of connections and the like, of which there may be a
    /// million: they share a few deadlines, so that the executor wakes up for all of a kind at
    /// once. See also [Timeout#rearm].
    ///
    /// @throws RejectedExecutionException as [#schedule(Runnable, long, TimeUnit)] does
    default Timeout scheduleCoarse(Runnable task, long delay, TimeUnit unit) {
        return schedule(task, delay, unit);
    }

    /// The clock that timers go by.
    Clock clock();

    /// Returns the number of waiting tasks, without the one that runs. A snapshot; 0 from an
    /// executor that does not count them.
    int pendingTasks();

    /// True while it runs a task; timers and I/O are not counted. A snapshot; false from an
    /// executor that does not say.
    default boolean isBusy() {
        return false;
    }

    /// Returns the statistics of this executor so far. A snapshot; figures that an executor does
    /// not count are 0.
    default LoopStatistics statistics() {
        return new LoopStatistics(0, pendingTasks(), 0, 0, 0);
    }

    /// Ends the executor once nothing has run for `quietPeriod`, the time before this call counted,
    /// and nothing else keeps it busy, or after `timeout` even so. Until then it takes tasks and
    /// runs timers. Every accepted task, and every timer that is due by then, is run before
    /// termination; other timers are cancelled. A task that does not return is waited for, whatever
    /// the timeout. Only the first call counts.
    ///
    /// @return the [termination future][#terminationFuture]
    /// @throws IllegalArgumentException when a duration is negative
    Future<Void> shutdownGracefully(Duration quietPeriod, Duration timeout);

    /// Ends the executor as soon as it has nothing to do, in 15 seconds at the latest.
    default Future<Void> shutdownGracefully() {
        return shutdownGracefully(Duration.ZERO, Duration.ofSeconds(15));
    }

    /// True from the first call to [#shutdownGracefully] on.
    boolean isShuttingDown();

    /// True when the last task has run; no task is accepted from then on.
    default boolean isTerminated() {
        return terminationFuture().isDone();
    }

    /// Succeeds when the last task has run. Listeners added later run on the thread that adds them.
    Future<Void> terminationFuture();
}
