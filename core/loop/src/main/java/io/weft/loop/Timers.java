package io.weft.loop;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// The timeouts of one loop: a four-ary heap by deadline, then by insertion. Each timeout knows its index, so that the
/// loop cancels in O(log n). Another thread only marks a timeout and counts it; once half of the heap is marked the loop
/// rebuilds it, O(1) a mark, so that neither cancelled timeouts pile up nor a cancel needs room in the task queue.
final class Timers {
    /// Longest delay, 146 years: two deadlines stay comparable by subtraction when one of them is late.
    static final long MAX_DELAY = Long.MAX_VALUE / 2;

    private static final int FEW = 64;

    private final BooleanSupplier inLoop;
    private final AtomicInteger marked = new AtomicInteger();

    private @Nullable Timeout[] heap = new @Nullable Timeout[16];
    private int size;
    private long nextSequence;
    private boolean closed;

    Timers(BooleanSupplier inLoop) {
        this.inLoop = inLoop;
    }

    /// When a task is due that is to run `delay` from now. A negative delay is none.
    static long deadline(Clock clock, long delay, TimeUnit unit) {
        return clock.nanoTime() + Math.clamp(unit.toNanos(delay), 0, MAX_DELAY);
    }

    static long checkPeriod(String name, long period) {
        if (period <= 0) {
            throw new IllegalArgumentException(name + ": " + period + " (expected: > 0)");
        }
        return period;
    }

    int size() {
        return size;
    }

    /// @throws RejectedExecutionException when the loop has ended
    void add(Timeout timeout) {
        if (closed) {
            timeout.cancel();
            throw new RejectedExecutionException("timers: closed (expected: executor running)");
        }
        if (timeout.isCancelled()) {
            return;
        }
        purge();
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size << 1);
        }
        timeout.sequence = nextSequence++;
        up(size++, timeout);
    }

    /// Told by a timeout that has just been cancelled. Any thread.
    void cancelled(Timeout timeout) {
        if (!inLoop.getAsBoolean()) {
            marked.incrementAndGet();
        } else if (timeout.index >= 0) {
            removeAt(timeout.index);
        }
    }

    /// Nanoseconds until the first deadline, at most 0 when it has come; `Long.MAX_VALUE` without timeouts.
    long untilFirst(Clock clock) {
        purge();
        return size == 0 ? Long.MAX_VALUE : at(0).deadlineNanos() - clock.nanoTime();
    }

    /// Takes the first timeout if it is due at `now`. It may have been cancelled by another thread.
    @Nullable Timeout pollDue(long now) {
        if (size == 0 || at(0).deadlineNanos() - now > 0) {
            return null;
        }
        Timeout first = at(0);
        removeAt(0);
        return first;
    }

    /// Cancels what is left and takes no more.
    void close() {
        closed = true;
        while (size > 0) {
            if (!at(size - 1).cancel()) {
                removeAt(size - 1); // another thread's cancel only marked it
            }
        }
    }

    private void purge() {
        int count = marked.get();
        if (count < FEW || count < size >> 1) {
            return;
        }
        // Reset first: a mark that comes while we sweep is counted for the next time, at worst once
        // too often.
        marked.set(0);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Timeout timeout = at(i);
            timeout.index = -1;
            if (!timeout.isCancelled()) {
                set(kept++, timeout);
            }
        }
        Arrays.fill(heap, kept, size, null);
        size = kept;
        for (int i = (kept - 2) >> 2; i >= 0; i--) {
            down(i, at(i));
        }
    }

    private void removeAt(int index) {
        at(index).index = -1;
        Timeout last = at(--size);
        heap[size] = null;
        if (index == size) {
            return;
        }
        down(index, last);
        if (last.index == index) {
            up(index, last);
        }
    }

    private void up(int index, Timeout timeout) {
        int i = index;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (!before(timeout, at(parent))) {
                break;
            }
            set(i, at(parent));
            i = parent;
        }
        set(i, timeout);
    }

    private void down(int index, Timeout timeout) {
        int i = index;
        for (int child = (i << 2) + 1; child < size; child = (i << 2) + 1) {
            int least = child;
            for (int end = Math.min(child + 4, size), c = child + 1; c < end; c++) {
                if (before(at(c), at(least))) {
                    least = c;
                }
            }
            if (!before(at(least), timeout)) {
                break;
            }
            set(i, at(least));
            i = least;
        }
        set(i, timeout);
    }

    private static boolean before(Timeout a, Timeout b) {
        long difference = a.deadlineNanos() - b.deadlineNanos();
        return difference < 0 || (difference == 0 && a.sequence < b.sequence);
    }

    private void set(int index, Timeout timeout) {
        heap[index] = timeout;
        timeout.index = index;
    }

    @SuppressWarnings("NullAway") // below `size` no element is null
    private Timeout at(int index) {
        return heap[index];
    }
}
