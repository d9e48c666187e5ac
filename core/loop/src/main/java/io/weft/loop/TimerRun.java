package io.weft.loop;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The timeouts of one slot, sorted when the first of them is asked for, then taken from the front.
/// One that is removed leaves a hole. Next to nothing for those that come in order, as the many do
/// that were given the same deadline.
final class TimerRun {
    private static final int FIRST_CAPACITY = 16;
    private static final int LARGE = 1024;
    private static final Comparator<Timeout> ORDER = (a, b) -> a == b ? 0 : a.isBefore(b) ? -1 : 1;

    private @Nullable Timeout[] run = new @Nullable Timeout[FIRST_CAPACITY];
    private int front;
    private int end;
    private boolean sorted = true;

    /// Only while none has been taken since it was last empty.
    void add(Timeout timeout) {
        if (end == run.length) {
            run = Arrays.copyOf(run, end << 1);
        }
        Timeout before = end == 0 ? null : run[end - 1];
        sorted &= before == null || before.isBefore(timeout);
        timeout.place = Timeout.IN_RUN;
        timeout.index = end;
        run[end++] = timeout;
    }

    @Nullable Timeout first() {
        if (!sorted) {
            sort();
        }
        while (front < end) {
            Timeout first = run[front];
            if (first != null) {
                return first;
            }
            front++;
        }
        if (end > 0) {
            clear();
        }
        return null;
    }

    private void sort() {
        int kept = 0;
        for (int i = front; i < end; i++) {
            Timeout timeout = run[i];
            if (timeout != null) {
                run[kept++] = timeout;
            }
        }
        Arrays.fill(run, kept, end, null);
        Arrays.sort(run, 0, kept, ORDER);
        front = 0;
        end = kept;
        for (int i = 0; i < kept; i++) {
            Timeout timeout = run[i];
            if (timeout != null) {
                timeout.index = i;
            }
        }
        sorted = true;
    }

    void remove(Timeout timeout) {
        run[timeout.index] = null;
        timeout.place = Timeout.NOWHERE;
    }

    private void clear() {
        front = 0;
        end = 0;
        sorted = true;
        if (run.length > LARGE) {
            run = new @Nullable Timeout[FIRST_CAPACITY];
        }
    }

    /// Drops those that were cancelled.
    ///
    /// @return how many
    int purge() {
        int dropped = 0;
        for (int i = front; i < end; i++) {
            Timeout timeout = run[i];
            if (timeout != null && timeout.isCancelled()) {
                remove(timeout);
                dropped++;
            }
        }
        return dropped;
    }

    /// Hands over all, in no order, and is empty.
    void drain(Consumer<? super Timeout> sink) {
        @Nullable Timeout[] all = run;
        int from = front;
        int to = end;
        run = new @Nullable Timeout[FIRST_CAPACITY];
        clear();
        for (int i = from; i < to; i++) {
            Timeout timeout = all[i];
            if (timeout != null) {
                timeout.place = Timeout.NOWHERE;
                sink.accept(timeout);
            }
        }
    }
}
