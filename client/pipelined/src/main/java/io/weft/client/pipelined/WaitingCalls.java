package io.weft.client.pipelined;

import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Calls without a connection, in the order in which they were made, with a timer for the oldest.
/// Under the lock of their client.
final class WaitingCalls {
    private final PriorityQueue<PipelinedCall<?>> calls =
            new PriorityQueue<>(Comparator.comparingLong((PipelinedCall<?> call) -> call.number));
    private final EventExecutor executor;

    /// Takes the client's lock, and calls [#takeLate].
    private final Runnable expire;

    /// Timer for the call that ends first, or one that did; null if none runs.
    private @Nullable Timeout timer;

    /// Nanoseconds of the clock at which the timer runs.
    private long timerDeadline;

    WaitingCalls(EventExecutor executor, Runnable expire) {
        this.executor = executor;
        this.expire = expire;
    }

    int size() {
        return calls.size();
    }

    /// @throws RejectedExecutionException if the executor takes no timer; the call is not added
    void add(PipelinedCall<?> call) {
        time(call);
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
        timer = null;
        long now = executor.clock().nanoTime();
        calls.removeIf(call -> call.deadline - now <= 0 && late.add(call));
        PipelinedCall<?> oldest = calls.peek();
        if (oldest != null) {
            time(oldest);
        }
        return late;
    }

    void dropDone() {
        PipelinedCall.dropDone(calls);
    }

    /// Has the timer run for a call. One that its connection gives back ends before those that have
    /// come meanwhile.
    private void time(PipelinedCall<?> call) {
        Timeout running = timer;
        if (running != null && call.deadline - timerDeadline >= 0) {
            return;
        }
        long left = Math.max(0, call.deadline - executor.clock().nanoTime());
        timer = executor.scheduleCoarse(expire, left, TimeUnit.NANOSECONDS);
        timerDeadline = call.deadline;
        if (running != null) {
            running.cancel();
        }
    }
}
