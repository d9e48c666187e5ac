package io.weft.loop;

/// Statistics of an executor: its work so far and its state. A snapshot, taken by any thread.
///
/// @param tasksRun the number of tasks that were taken from the queue; timers, and completions that
///     found it full, are not counted
/// @param pendingTasks the number of tasks that wait
/// @param lagNanos the lateness of the last timer that was due: for so long the loop was busy with
///     other things
/// @param busyNanos the time for which the loop has been at work, by samples; 0 without a watchdog.
///     Divided by `tasksRun` it is the time that a task takes
/// @param longestHoldNanos the longest time in which a watchdog saw the loop at one and the same
///     task; 0 if it saw none above its threshold
public record LoopStatistics(
        long tasksRun, int pendingTasks, long lagNanos, long busyNanos, long longestHoldNanos) {}
