package io.weft.loop;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/// The treatment of a task that finds its executor's queue full. No policy here blocks a loop: one
/// that waits for another that waits for the first is a dead-lock.
@FunctionalInterface
public interface RejectionPolicy {
    /// Called on the thread that called `execute`. A policy that returns instead of throwing has
    /// taken the task over: the executor forgets it. The future of a task that comes from `submit`
    /// then completes only if the task is run.
    ///
    /// Other ways in do not ask: timers that find the queue full always throw, as they must run on
    /// the loop, completions are always taken, and an executor that has shut down always throws.
    ///
    /// @throws RejectedExecutionException to tell the caller of `execute` that the task is not run
    void rejected(Runnable task, EventExecutor executor);

    /// Throws. The default.
    static RejectionPolicy reject() {
        return (_, executor) -> {
            throw new RejectedExecutionException(
                    "task queue of "
                            + executor
                            + ": "
                            + executor.pendingTasks()
                            + " tasks (expected: room for another)");
        };
    }

    /// Tries again, at most `times`, and rests for `pause` before each; then throws. For producers
    /// that had better wait than fail. A [LoopThread] does not wait, nor does a thread that has
    /// been interrupted: for these it throws at once.
    ///
    /// @throws IllegalArgumentException when `times` or `pause` is not positive
    static RejectionPolicy retry(int times, Duration pause) {
        if (times < 1) {
            throw new IllegalArgumentException("times: " + times + " (expected: >= 1)");
        }
        if (!pause.isPositive()) {
            throw new IllegalArgumentException("pause: " + pause + " (expected: > 0)");
        }
        boolean fits = pause.compareTo(Duration.ofNanos(Timers.MAX_DELAY)) < 0;
        long nanos = fits ? pause.toNanos() : Timers.MAX_DELAY;
        return (task, executor) -> {
            if (!(executor instanceof SingleThreadExecutor one)
                    || !one.waitToOffer(task, times, nanos)) {
                reject().rejected(task, executor);
            }
        };
    }
}
