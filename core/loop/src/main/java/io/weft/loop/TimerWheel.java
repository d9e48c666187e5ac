package io.weft.loop;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Timeouts that are not due soon, in lists from which one is removed in O(1).
///
/// Time is cut into slots of 2^20 ns, about a millisecond. A timeout's list is told by the highest
/// digit, of six bits, in which its slot differs from `base`, and by what that digit is: 64 lists
/// for the slots that share all but the last digit with `base`, 64 for those that share all but the
/// last two, and so on. When `base` moves on to the first slot of the first list, that list's
/// timeouts share another digit with it and go to finer lists; what lies in other lists stays where
/// it is, as its highest different digit does. So a timeout moves at most eight times in its life,
/// and those that are cancelled or put off before their time mostly never.
///
/// Lists are in the order of adding, not of deadlines. A timeout may be put off where it is: it is
/// given its true list when its list's turn comes.
final class TimerWheel {
    static final long SLOT_NANOS = 1 << 20;

    private static final int SLOT_SHIFT = 20;
    private static final int DIGIT = 6;
    private static final int LEVELS = 8; // 63 - SLOT_SHIFT bits are 7.2 digits

    /// Arrays in which each timeout knows its index. One that was cancelled may stay there until
    /// they are packed.
    ///
    /// All but the last are full and of one length, and an array is new when timeouts are put into
    /// it: one that is old, or so large that it counts as old from the start, costs the collector a
    /// card for each that is young.
    private final class Bucket {
        private static final int FIRST_CAPACITY = 4;
        private static final int SHIFT = 10;
        private static final int CAPACITY = 1 << SHIFT;
        private static final @Nullable Timeout[][] NONE = {};

        private final int place;
        private @Nullable Timeout[][] full = NONE;
        private int fulls;
        private @Nullable Timeout[] last = new @Nullable Timeout[FIRST_CAPACITY];
        private int end; // of the last
        private long first; // no deadline is before it

        Bucket(int place) {
            this.place = place;
        }

        void add(Timeout timeout) {
            if (isEmpty() || timeout.deadlineNanos() - first < 0) {
                first = timeout.deadlineNanos();
            }
            append(timeout);
        }

        private void append(Timeout timeout) {
            if (end == last.length) {
                makeRoom();
            }
            timeout.index = (fulls << SHIFT) + end;
            last[end++] = timeout;
        }

        private void makeRoom() {
            if (end < CAPACITY) {
                last = Arrays.copyOf(last, end << 1);
                return;
            }
            if (fulls == full.length) {
                full = Arrays.copyOf(full, Math.max(fulls << 1, 4));
            }
            full[fulls++] = last;
            last = new @Nullable Timeout[CAPACITY];
            end = 0;
        }

        boolean isEmpty() {
            return end == 0; // makeRoom is followed by an append
        }

        void remove(int index) {
            int array = index >>> SHIFT;
            (array == fulls ? last : full[array])[index & (CAPACITY - 1)] = null;
        }

        void purge() {
            take(
                    timeout -> {
                        size++;
                        timeout.place = place;
                        append(timeout);
                    });
        }

        /// Hands over all that have not been cancelled, in order, and is empty.
        void take(Consumer<? super Timeout> sink) {
            @Nullable Timeout[][] all = full;
            int arrays = fulls;
            @Nullable Timeout[] rest = last;
            int restEnd = end;
            clear();
            for (int i = 0; i < arrays; i++) {
                take(all[i], CAPACITY, sink);
            }
            take(rest, restEnd, sink);
        }

        private void take(@Nullable Timeout[] items, int count, Consumer<? super Timeout> sink) {
            for (int i = 0; i < count; i++) {
                Timeout timeout = items[i];
                if (timeout == null) {
                    holes--;
                    continue;
                }
                size--;
                timeout.place = Timeout.NOWHERE;
                if (!timeout.isCancelled()) {
                    sink.accept(timeout);
                } else if (timeout.isForgotten()) {
                    forgotten--;
                }
            }
        }

        void clear() {
            full = NONE;
            fulls = 0;
            last = new @Nullable Timeout[FIRST_CAPACITY];
            end = 0;
        }
    }

    private final @Nullable Bucket[] buckets = new @Nullable Bucket[LEVELS << DIGIT];
    private final long[] occupied = new long[LEVELS]; // a bit a list

    private int size; // with those forgotten
    private int forgotten;
    private int holes;

    private long origin; // where slots are counted from
    private long base;

    /// Begins at time `now`. Must be empty.
    void start(long now) {
        origin = now;
        base = 0;
    }

    /// True when `deadline` is too far from where slots are counted from: 219 years after it, or
    /// 146 before. So it takes another 73 years until this is true of the longest delay there is,
    /// and as long again each time.
    boolean isOutOfRange(long deadline) {
        long age = deadline - origin;
        return age > Timers.MAX_DELAY + (Timers.MAX_DELAY >> 1) || age < -Timers.MAX_DELAY;
    }

    /// Takes a timeout unless its slot is that of `base` or before.
    boolean add(Timeout timeout) {
        long slot = slot(timeout.deadlineNanos());
        if (slot <= base) {
            return false;
        }
        int level = (63 - Long.numberOfLeadingZeros(slot ^ base)) / DIGIT;
        int digit = (int) (slot >>> (level * DIGIT)) & 63;
        int index = (level << DIGIT) | digit;
        bucket(index).add(timeout);
        size++;
        occupied[level] |= 1L << digit;
        timeout.place = index;
        return true;
    }

    private long slot(long deadline) {
        return (deadline - origin) >> SLOT_SHIFT;
    }

    private Bucket bucket(int index) {
        Bucket bucket = buckets[index];
        if (bucket == null) {
            bucket = new Bucket(index);
            buckets[index] = bucket;
        }
        return bucket;
    }

    /// Removes a timeout that is in one of the lists.
    void remove(Timeout timeout) {
        bucket(timeout.place).remove(timeout.index);
        holes++;
        size--;
        timeout.place = Timeout.NOWHERE;
    }

    /// Takes note that the loop has cancelled a timeout, which stays in its list until that is
    /// packed.
    ///
    /// Many cancels in a row wait for memory, each for that of its own timeout, and a processor
    /// overlaps as many of them as it can look ahead. So there is hardly anything here to be looked
    /// at.
    void forget() {
        forgotten++;
    }

    /// Returns the number of timeouts, some of which another thread may have cancelled.
    int size() {
        return size - forgotten;
    }

    /// Returns the number of elements of lists that are known to be of no use.
    int waste() {
        return forgotten + holes;
    }

    /// Lets go of what lists may refer to while [#size] is 0.
    void clear() {
        for (int index; (index = firstBucket()) >= 0; ) {
            vacate(index);
            bucket(index).clear();
        }
        size = 0;
        forgotten = 0;
        holes = 0;
    }

    private void vacate(int index) {
        occupied[index >>> DIGIT] &= ~(1L << (index & 63));
    }

    /// No deadline is before this. Must not be empty. Exact unless a timeout of its list was
    /// cancelled or moved.
    long firstDeadline() {
        return bucket(firstBucket()).first;
    }

    /// Negative when all are empty.
    private int firstBucket() {
        for (int level = 0; level < LEVELS; level++) {
            if (occupied[level] != 0) {
                return (level << DIGIT) | Long.numberOfTrailingZeros(occupied[level]);
            }
        }
        return -1;
    }

    /// Moves `base` to the slot of the [first deadline][#firstDeadline] and hands over its
    /// timeouts, in the order in which they were added. Must not be empty.
    void advance(Consumer<? super Timeout> sink) {
        int index = firstBucket();
        base = slot(bucket(index).first);
        vacate(index);
        bucket(index)
                .take(
                        t -> {
                            if (!add(t)) {
                                sink.accept(t);
                            }
                        });
    }

    /// Drops those that were cancelled.
    void purge() {
        for (int level = 0; level < LEVELS; level++) {
            for (long left = occupied[level]; left != 0; left &= left - 1) {
                int index = (level << DIGIT) | Long.numberOfTrailingZeros(left);
                Bucket bucket = bucket(index);
                bucket.purge();
                if (bucket.isEmpty()) {
                    vacate(index);
                }
            }
        }
    }

    /// Hands over all, in no order, and is empty.
    void drain(Consumer<? super Timeout> sink) {
        for (int index; (index = firstBucket()) >= 0; ) {
            vacate(index);
            bucket(index).take(sink);
        }
    }
}
