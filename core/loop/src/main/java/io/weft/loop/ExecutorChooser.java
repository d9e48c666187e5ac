package io.weft.loop;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Picks the executor of a group that gets the next task; see also [ScalingChooser]. Called by any thread, also by several at a time.
@FunctionalInterface
public interface ExecutorChooser {
    /// One of `executors`, which are the same at each call and at least one.
    EventExecutor choose(List<EventExecutor> executors);

    /// One after the other. A chooser serves one group: it holds whose turn it is.
    static ExecutorChooser roundRobin() {
        var turn = new AtomicInteger();
        return executors -> executors.get(next(turn, executors));
    }

    /// The one with the fewest [pending tasks][EventExecutor#pendingTasks]; among equals one after the other, so that idle
    /// executors share alike. The task that an executor runs just now is not seen. Looks at every executor each time.
    static ExecutorChooser leastLoaded() {
        var turn = new AtomicInteger();
        return executors -> {
            int first = next(turn, executors);
            EventExecutor best = executors.get(first);
            int least = best.pendingTasks();
            for (int i = 1; i < executors.size() && least > 0; i++) {
                EventExecutor other = executors.get((first + i) % executors.size());
                int pending = other.pendingTasks();
                if (pending < least) {
                    best = other;
                    least = pending;
                }
            }
            return best;
        };
    }

    private static int next(AtomicInteger turn, List<EventExecutor> executors) {
        return executors.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), executors.size());
    }
}
