package io.weft.loop;

import io.weft.loop.guard.Pulse;
import org.jspecify.annotations.Nullable;

/// A thread that finds its [LoopLocal] values without a hash table. Loops have such threads unless
/// they are given a factory; a factory may make them too. Any other thread works as well, only
/// slower.
public final class LoopThread extends Thread {
    /// By index of the local; touched by this thread only.
    @Nullable Object[] locals = LoopLocal.NONE;

    /// Of the executor that runs on this thread.
    @Nullable Pulse pulse;

    /// A thread called `name` that is no daemon.
    public LoopThread(Runnable task, String name) {
        super(task, name);
        setDaemon(false);
    }

    /// Tells the watchdog that the loop's wait is over. To be called on the loop by a [LoopDriver]
    /// between waiting and dispatching: a driver's [poll][LoopDriver#poll] that was allowed to wait
    /// else counts as waiting until it returns, so that a handler that holds the loop in it goes
    /// unnoticed. Called before each handler it also sets these apart from one another: many that
    /// are quick are no hold. On any other thread this does nothing.
    public static void working() {
        if (Thread.currentThread() instanceof LoopThread thread && thread.pulse != null) {
            thread.pulse.works();
        }
    }
}
