package io.weft.loop;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Timeouts by deadline, then by sequence: a four-ary heap whose elements know their index, so that
/// one is removed in O(log n).
final class TimerHeap {
    private static final int FIRST_CAPACITY = 16;

    private @Nullable Timeout[] heap = new @Nullable Timeout[FIRST_CAPACITY];
    private int size;

    void add(Timeout timeout) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size << 1);
        }
        up(size++, timeout);
    }

    @Nullable Timeout first() {
        return heap[0];
    }

    void removeAt(int index) {
        at(index).place = Timeout.NOWHERE;
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

    /// Drops those that were cancelled.
    ///
    /// @return how many
    int purge() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Timeout timeout = at(i);
            timeout.place = Timeout.NOWHERE;
            if (!timeout.isCancelled()) {
                set(kept++, timeout);
            }
        }
        int dropped = size - kept;
        Arrays.fill(heap, kept, size, null);
        size = kept;
        for (int i = (kept - 2) >> 2; i >= 0; i--) {
            down(i, at(i));
        }
        return dropped;
    }

    /// Hands over all, in no order, and is empty.
    void drain(Consumer<? super Timeout> sink) {
        @Nullable Timeout[] all = heap;
        int count = size;
        heap = new @Nullable Timeout[FIRST_CAPACITY];
        size = 0;
        for (int i = 0; i < count; i++) {
            Timeout timeout = all[i];
            if (timeout != null) {
                timeout.place = Timeout.NOWHERE;
                sink.accept(timeout);
            }
        }
    }

    private void up(int index, Timeout timeout) {
        int i = index;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (!timeout.isBefore(at(parent))) {
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
                if (at(c).isBefore(at(least))) {
                    least = c;
                }
            }
            if (!at(least).isBefore(timeout)) {
                break;
            }
            set(i, at(least));
            i = least;
        }
        set(i, timeout);
    }

    private void set(int index, Timeout timeout) {
        heap[index] = timeout;
        timeout.index = index;
        timeout.place = Timeout.IN_HEAP;
    }

    @SuppressWarnings("NullAway") // below `size` no element is null
    private Timeout at(int index) {
        return heap[index];
    }
}
