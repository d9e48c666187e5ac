package io.weft.loop;

import java.util.concurrent.RejectedExecutionException;

/// What becomes of a task that finds its executor's queue full. There is no policy that blocks: a loop that waits for
/// another loop that waits for the first is a dead-lock.
@FunctionalInterface
public interface RejectionPolicy {
    /// Called on the thread that called `execute`. Whoever returns instead of throwing has taken the task over: the
    /// executor forgets it. Of a task that comes from `submit` the future is then done only if somebody runs the task.
    ///
    /// Other ways in do not ask: timers that find the queue full always throw, as they must run on the loop, completions
    /// are always taken, and an executor that has shut down always throws.
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
}
