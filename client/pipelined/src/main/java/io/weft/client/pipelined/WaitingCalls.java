package io.weft.client.pipelined;

import io.weft.loop.EventExecutor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Calls without a connection, in the order in which they were made, with a timer for the oldest.
/// Under the lock of their client.
final class WaitingCalls {
    private final PriorityQueue<PipelinedCall<?>> calls =
            new PriorityQueue<>(Comparator.comparingLong((PipelinedCall<?> call) -> call.number));
    private final EventExecutor executor;

    /// For the call that ends first, which need not be the oldest: one that its connection gives
    /// back ends before those that have come meanwhile.
    private final EarliestTimer timer;

    /// @param expire takes the client's lock, and calls [#takeLate]
    WaitingCalls(EventExecutor executor, Runnable expire) {
        this.executor = executor;
        timer = new EarliestTimer(executor, expire);
    }

    int size() {
        return calls.size();
    }

    /// @throws RejectedExecutionException if the executor takes no timer; the call is not added
    void add(PipelinedCall<?> call) {
        timer.arm(call.deadline);
        calls.add(call);
    }

    void remove(PipelinedCall<?> call) {
        calls.remove(call);
    }

    @Nullable PipelinedCall<?> poll() {
        return calls.poll();
    }

    /// Removes all calls and returns them.
    List<PipelinedCall<?>> takeAll() {
        List<PipelinedCall<?>> all = List.copyOf(calls);
        calls.clear();
        return all;
    }

    /// Removes the calls whose time is over and returns them; the timer runs for others.
    List<PipelinedCall<?>> takeLate() {
        List<PipelinedCall<?>> late = new ArrayList<>();
        timer.ran();
        long now = executor.clock().nanoTime();
        calls.removeIf(call -> call.deadline - now <= 0 && late.add(call));
        PipelinedCall<?> oldest = calls.peek();
        if (oldest != null) {
            timer.arm(oldest.deadline);
        }
        return late;
    }

    void dropDone() {
        PipelinedCall.dropDone(calls);
    }
}
