package io.weft.loop;

/// What an executor has done so far and how it is doing. A snapshot, taken by any thread.
///
/// @param tasksRun how many tasks were taken from the queue; timers, and completions that found it full, are not counted
/// @param pendingTasks how many tasks wait
/// @param lagNanos how late the last timer was that was due: for so long the loop was busy with other things
/// @param busyNanos how long the loop has been at work, by samples; 0 without a watchdog. Divided by `tasksRun` it is the
///     time that a task takes
/// @param longestHoldNanos the longest time in which a watchdog saw the loop at one and the same task; 0 if it saw none
///     above its threshold
public record LoopStatistics(
        long tasksRun, int pendingTasks, long lagNanos, long busyNanos, long longestHoldNanos) {}
