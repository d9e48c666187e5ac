package io.weft.loop;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Timeouts that are not due soon, in lists from which one is removed in O(1).
///
/// Time is cut into slots of 2^20 ns, about a millisecond. A timeout's list is told by the highest digit, of six bits, in
/// which its slot differs from `base`, and by what that digit is: 64 lists for the slots that share all but the last digit
/// with `base`, 64 for those that share all but the last two, and so on. When `base` moves on to the first slot of the
/// first list, that list's timeouts share another digit with it and go to finer lists; what lies in other lists stays
/// where it is, as its highest different digit does. So a timeout moves at most eight times in its life, and those that are
/// cancelled or put off before their time mostly never.
///
/// Lists are in the order of adding, not of deadlines. A timeout may be put off where it is: it is given its true list when
/// its list's turn comes.
final class TimerWheel {
    static final long SLOT_NANOS = 1 << 20;

    private static final int SLOT_SHIFT = 20;
    private static final int DIGIT = 6;
    private static final int LEVELS = 8; // 63 - SLOT_SHIFT bits are 7.2 digits

    /// An array in which each timeout knows its index. One that was cancelled may stay there until the array is packed.
    private final class Bucket {
        private static final int FIRST_CAPACITY = 4;
        private static final int LARGE = 64;

        private @Nullable Timeout[] items = new @Nullable Timeout[FIRST_CAPACITY];
        private int end;
        private long first; // no deadline is before it

        void add(Timeout timeout) {
            if (end == items.length) {
                makeRoom();
            }
            if (end == 0 || timeout.deadlineNanos() - first < 0) {
                first = timeout.deadlineNanos();
            }
            timeout.index = end;
            items[end++] = timeout;
        }

        private void makeRoom() {
            int left = left();
            pack(left <= end >> 1 ? end : end << 1);
        }

        void purge() {
            int left = left();
            if (left < end) {
                pack(Math.max(left + 1, FIRST_CAPACITY));
            }
        }

        private int left() {
            int left = 0;
            for (int i = 0; i < end; i++) {
                Timeout timeout = items[i];
                if (timeout != null && !timeout.isCancelled()) {
                    left++;
                }
            }
            return left;
        }

        /// Into a new array: an old one that becomes full of young timeouts costs the collector.
        private void pack(int capacity) {
            var packed = new @Nullable Timeout[capacity];
            int kept = 0;
            for (int i = 0; i < end; i++) {
                Timeout timeout = items[i];
                if (timeout == null) {
                    holes--;
                } else if (timeout.isCancelled()) {
                    drop(timeout);
                } else {
                    timeout.index = kept;
                    packed[kept++] = timeout;
                }
            }
            items = packed;
            end = kept;
        }

        void clear() {
            if (items.length > LARGE) {
                items = new @Nullable Timeout[FIRST_CAPACITY];
            } else {
                Arrays.fill(items, 0, end, null);
            }
            end = 0;
        }

        void take(Consumer<? super Timeout> sink) {
            @Nullable Timeout[] all = items;
            int count = end;
            items = new @Nullable Timeout[FIRST_CAPACITY];
            end = 0;
            for (int i = 0; i < count; i++) {
                Timeout timeout = all[i];
                if (timeout == null) {
                    holes--;
                } else if (timeout.isCancelled()) {
                    drop(timeout);
                } else {
                    timeout.place = Timeout.NOWHERE;
                    size--;
                    sink.accept(timeout);
                }
            }
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

    /// True when `deadline` is too far from where slots are counted from, in years.
    boolean isOutOfRange(long deadline) {
        long age = deadline - origin;
        return age > Timers.MAX_DELAY || age < -Timers.MAX_DELAY;
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
            bucket = new Bucket();
            buckets[index] = bucket;
        }
        return bucket;
    }

    /// Removes a timeout that is in one of the lists.
    void remove(Timeout timeout) {
        bucket(timeout.place).items[timeout.index] = null;
        holes++;
        size--;
        timeout.place = Timeout.NOWHERE;
    }

    /// Takes note that the loop has cancelled a timeout, which stays in its list until that is packed.
    ///
    /// Many cancels in a row wait for memory, each for that of its own timeout, and a processor overlaps as many of them as
    /// it can look ahead. So there is hardly anything here to be looked at.
    void forget() {
        forgotten++;
    }

    private void drop(Timeout timeout) {
        timeout.place = Timeout.NOWHERE;
        size--;
        if (timeout.isForgotten()) {
            forgotten--;
        }
    }

    /// How many timeouts there are, some of which another thread may have cancelled.
    int size() {
        return size - forgotten;
    }

    /// How many elements of lists are known to be of no use.
    int waste() {
        return forgotten + holes;
    }

    /// Lets go of what lists may refer to while [#size] is none.
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

    /// No deadline is before this. Must not be empty. Exact unless a timeout of its list was cancelled or moved.
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

    /// Moves `base` to the slot of the [first deadline][#firstDeadline] and hands over its timeouts, in the order in which
    /// they were added. Must not be empty.
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
                if (bucket.end == 0) {
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
