package io.weft.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The timeouts of one loop, run in the order of their deadlines, then of their scheduling.
///
/// - [TimerWheel]: what is not due soon. Added and removed in O(1), and most timeouts never see
///   anything else.
/// - [TimerRun]: the wheel's first slot, about a millisecond, sorted.
/// - [TimerHeap]: what came later for that slot or for one before it, so that it is all due now or
///   in a moment.
///
/// All of the run and of the heap is due before anything in the wheel. The wheel only turns when
/// one of its deadlines has come: what is scheduled next is later than that, but for latecomers
/// from other threads.
///
/// A cancel only marks a timeout and counts it, unless the loop itself cancels one of the run or of
/// the heap. When the loop next looks at its timers, and more timeouts are marked than are not, it
/// sweeps the marked out: O(1) a mark, so that neither cancelled timeouts pile up, nor another
/// thread's cancel needs room in the task queue, nor one of the loop's a second look at memory.
final class Timers {
    /// Longest delay, 146 years: two deadlines stay comparable by subtraction when one of them is
    /// late.
    static final long MAX_DELAY = Long.MAX_VALUE / 2;

    private static final int FEW = 64;

    private final Clock clock;
    private final BooleanSupplier inLoop;
    private final AtomicInteger marked = new AtomicInteger();

    private final TimerWheel wheel = new TimerWheel();
    private final TimerRun run = new TimerRun();
    private final TimerHeap heap = new TimerHeap();
    private int near; // in the run and in the heap
    private long nextSequence;
    private boolean closed;

    private final Consumer<Timeout> toRun = this::addToRun;

    Timers(Clock clock, BooleanSupplier inLoop) {
        this.clock = clock;
        this.inLoop = inLoop;
    }

    /// A timeout that is to run `delay` from now, yet to be [added][#add]. Any thread.
    ///
    /// @param period see [EventExecutor#schedule(Runnable, long, long, TimeUnit)]
    Timeout timeout(Runnable task, long delay, long period, TimeUnit unit) {
        long nanos = Math.clamp(unit.toNanos(period), -MAX_DELAY, MAX_DELAY);
        Runnable run =
                nanos == 0
                        ? task
                        : new Timeout.Repeated(Objects.requireNonNull(task, "task"), nanos);
        return timeout(run, deadline(delay, unit), false);
    }

    /// Like [#timeout], for [EventExecutor#scheduleCoarse]. Any thread.
    Timeout coarse(Runnable task, long delay, TimeUnit unit) {
        return timeout(task, coarseDeadline(delay, unit), true);
    }

    private Timeout timeout(Runnable task, long deadline, boolean coarse) {
        Objects.requireNonNull(task, "task");
        return inLoop()
                ? new Timeout(this, task, deadline, coarse)
                : new Timeout.HandedOver(this, task, deadline, coarse);
    }

    /// Returns the time at which a task is due that is to run `delay` from now. A negative delay
    /// counts as 0.
    long deadline(long delay, TimeUnit unit) {
        return clock.nanoTime() + clamp(delay, unit);
    }

    /// On the next multiple of a power of two, at most a 16th of the delay: about as many deadlines
    /// for any number of timeouts. Wrap-around does no harm: 2^64 is such a multiple.
    long coarseDeadline(long delay, TimeUnit unit) {
        long nanos = clamp(delay, unit);
        long grain = Math.max(Long.highestOneBit(nanos >> 4), TimerWheel.SLOT_NANOS);
        return (clock.nanoTime() + nanos + grain - 1) & -grain;
    }

    private static long clamp(long delay, TimeUnit unit) {
        return Math.clamp(unit.toNanos(delay), 0, MAX_DELAY);
    }

    static long checkPeriod(String name, long period) {
        if (period <= 0) {
            throw new IllegalArgumentException(name + ": " + period + " (expected: > 0)");
        }
        return period;
    }

    /// Told by a timeout that another thread has just cancelled.
    void marked() {
        marked.incrementAndGet();
    }

    boolean inLoop() {
        return inLoop.getAsBoolean();
    }

    Clock clock() {
        return clock;
    }

    // ---- the loop ----

    int size() {
        return near + wheel.size();
    }

    /// @throws RejectedExecutionException when the loop has ended
    void add(Timeout timeout) {
        if (closed) {
            timeout.cancel();
            throw new RejectedExecutionException("timers: closed (expected: executor running)");
        }
        if (!timeout.isPending() || timeout.place != Timeout.NOWHERE) {
            return; // rearmed, and perhaps run, before it got here from another thread
        }
        purge();
        if (size() == 0) { // and the wheel is empty: the purge has seen to that
            wheel.start(clock.nanoTime());
        } else if (wheel.isOutOfRange(timeout.deadlineNanos())) {
            startAnew();
        }
        timeout.sequence = nextSequence++;
        place(timeout);
    }

    private void place(Timeout timeout) {
        if (!wheel.add(timeout)) {
            heap.add(timeout);
            near++;
        }
    }

    /// After 73 years, or when the clock has jumped as far.
    private void startAnew() {
        var all = drain();
        wheel.start(clock.nanoTime());
        all.forEach(this::place);
    }

    private List<Timeout> drain() {
        var all = new ArrayList<Timeout>(size());
        run.drain(all::add);
        heap.drain(all::add);
        wheel.drain(all::add);
        near = 0;
        return all;
    }

    /// Takes note of a new deadline. One that is put off stays where it is in the wheel, which
    /// looks at the deadline when it gets there.
    void moved(Timeout timeout, long deadline) {
        timeout.sequence = nextSequence++;
        if (timeout.place >= 0
                && deadline - timeout.deadlineNanos() >= 0
                && !wheel.isOutOfRange(deadline)) {
            timeout.deadline(deadline);
            return;
        }
        remove(timeout);
        timeout.deadline(deadline);
        add(timeout);
    }

    /// Removes a timeout wherever it is.
    void remove(Timeout timeout) {
        switch (timeout.place) {
            case Timeout.NOWHERE -> {
                return;
            }
            case Timeout.IN_HEAP -> heap.removeAt(timeout.index);
            case Timeout.IN_RUN -> run.remove(timeout);
            default -> {
                wheel.remove(timeout);
                return;
            }
        }
        near--;
    }

    /// Takes note that the loop has cancelled a timeout.
    void forget(Timeout timeout) {
        if (timeout.place >= 0) {
            wheel.forget();
        } else {
            remove(timeout);
        }
    }

    /// Nanoseconds until the first deadline, at most 0 when it has come; `Long.MAX_VALUE` without
    /// timeouts. Too few when the first was cancelled or put off.
    long untilFirst() {
        purge();
        if (size() == 0) {
            return Long.MAX_VALUE;
        }
        Timeout first = first();
        return (first == null ? wheel.firstDeadline() : first.deadlineNanos()) - clock.nanoTime();
    }

    /// Takes the first timeout if it is due at `now`. It may have been cancelled by another thread.
    @Nullable Timeout pollDue(long now) {
        while (size() > 0) {
            Timeout first = first();
            if (first != null) {
                if (first.deadlineNanos() - now > 0) {
                    return null;
                }
                remove(first);
                return first;
            }
            if (wheel.firstDeadline() - now > 0) {
                return null;
            }
            wheel.advance(toRun);
        }
        return null;
    }

    private void addToRun(Timeout timeout) {
        run.add(timeout);
        near++;
    }

    /// The first in the run or in the heap.
    private @Nullable Timeout first() {
        Timeout inRun = run.first();
        Timeout inHeap = heap.first();
        if (inRun == null || inHeap == null) {
            return inRun == null ? inHeap : inRun;
        }
        return inRun.isBefore(inHeap) ? inRun : inHeap;
    }

    boolean isClosed() {
        return closed;
    }

    /// Takes no more, runs what is due once, and cancels what is left.
    void close() {
        closed = true;
        try {
            long now = clock.nanoTime();
            for (Timeout timeout; (timeout = pollDue(now)) != null; ) {
                timeout.fire();
            }
        } finally {
            for (Timeout timeout : drain()) {
                boolean _ = timeout.cancel();
            }
        }
    }

    private void purge() {
        int count = marked.get();
        int waste = count + wheel.waste();
        if (waste == 0) {
            return;
        }
        int left = size() - count;
        if (left <= 0 || (waste >= FEW && waste > left)) {
            sweep();
        }
    }

    private void sweep() {
        // Reset first: a mark that comes while we sweep is counted for the next time, at worst once
        // too often.
        marked.set(0);
        near -= heap.purge() + run.purge();
        if (wheel.size() == 0) {
            wheel.clear();
        } else {
            wheel.purge();
        }
    }
}
