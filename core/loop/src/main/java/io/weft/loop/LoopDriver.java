package io.weft.loop;

import org.jspecify.annotations.Nullable;

/// The work of a loop between tasks: waits for I/O and dispatches it, or just sleeps.
///
/// All methods but [#wakeup] are called on the loop's thread, one at a time. Exceptions that they
/// throw are logged.
public interface LoopDriver {
    /// Called once, before anything else.
    default void start() {}

    /// Dispatches what is ready; when nothing is, waits for it, for a [#wakeup], or for
    /// `timeoutNanos` nanoseconds. It may always return early.
    ///
    /// Two calls in a row that throw are set apart by a pause of a millisecond.
    ///
    /// @param timeoutNanos 0 not to wait at all, `Long.MAX_VALUE` to wait without a deadline
    void poll(long timeoutNanos);

    /// Makes the [#poll] that waits now, or else the next one that would wait, return. Any thread,
    /// between [#start] and [#close]. It is called at most once for each time the loop is about to
    /// wait; also when the loop has just found its task by itself and does not wait.
    void wakeup();

    /// Tells if a loop that has just run tasks lets other threads run before it waits. If tasks are
    /// all that it waits for, their producers get on meanwhile, and the loop often finds the next
    /// ones without having to be woken. A loop with I/O had better wait: on a busy machine the
    /// system lets a thread that was woken run sooner.
    default boolean yields() {
        return false;
    }

    /// Tells which thread is in the loop from now on, for a driver that is asked so often that it
    /// keeps it: of a [ManualExecutor] alone, whose callers may change. Called on that thread, also
    /// before [#start]; for null, and for the creator of the executor, on the one that was in it.
    default void entered(@Nullable Thread thread) {}

    /// Called once, when the loop has been asked to shut down: the time to close channels.
    default void shuttingDown() {}

    /// True when nothing but tasks keeps the loop from ending. Asked while it shuts down, after
    /// each round.
    default boolean isIdle() {
        return true;
    }

    /// Called once, last. No [#wakeup] of the loop's runs then or comes later.
    void close();

    /// A driver for a loop without I/O: it only parks the thread.
    static LoopDriver parking() {
        return new ParkDriver();
    }
}
