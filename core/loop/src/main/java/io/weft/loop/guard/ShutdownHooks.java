package io.weft.loop.guard;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The hooks that an executor runs last, in the order in which they were added.
public final class ShutdownHooks {
    private final ArrayDeque<Runnable> hooks = new ArrayDeque<>(0);
    private boolean closed;

    /// @throws RejectedExecutionException when all have been run
    public synchronized void add(Runnable hook) {
        if (closed) {
            throw new RejectedExecutionException("shutdown hooks: run (expected: executor alive)");
        }
        hooks.add(hook);
    }

    public synchronized boolean remove(Runnable hook) {
        return hooks.removeFirstOccurrence(hook);
    }

    /// Runs the hooks, those that hooks add too, and takes no more.
    public void run() {
        Runnable hook;
        while ((hook = next()) != null) {
            try {
                hook.run();
            } catch (Throwable t) {
                Faults.report("a shutdown hook threw", t);
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable hook = hooks.poll();
        closed = hook == null;
        return hook;
    }
}
