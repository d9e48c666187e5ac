package io.weft.loop;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Picks the executor of a group that gets the next task; see also [ScalingChooser]. Called by any
/// thread, also by several at a time.
@FunctionalInterface
public interface ExecutorChooser {
    /// One of `executors`, which are the same at each call and at least one.
    EventExecutor choose(List<EventExecutor> executors);

    /// One after the other. A chooser serves one group: it holds whose turn it is.
    static ExecutorChooser roundRobin() {
        var turn = new AtomicInteger();
        return executors -> executors.get(next(turn, executors));
    }

    /// The one with the fewest [pending tasks][EventExecutor#pendingTasks], the one that it
    /// [runs][EventExecutor#isBusy] counted; among equals one after the other, so that idle
    /// executors share alike. Looks at every executor each time.
    static ExecutorChooser leastLoaded() {
        var turn = new AtomicInteger();
        return executors -> {
            int first = next(turn, executors);
            EventExecutor best = executors.get(first);
            long least = load(best);
            for (int i = 1; i < executors.size() && least > 0; i++) {
                EventExecutor other = executors.get((first + i) % executors.size());
                long load = load(other);
                if (load < least) {
                    best = other;
                    least = load;
                }
            }
            return best;
        };
    }

    private static long load(EventExecutor executor) {
        return executor.pendingTasks() + (executor.isBusy() ? 1L : 0);
    }

    private static int next(AtomicInteger turn, List<EventExecutor> executors) {
        return executors.size() == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), executors.size());
    }
}
