package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Ranges of sequence numbers that a receiver misses, each with the time at which it is to be
/// reported again.
final class GapList {
    private static final int INITIAL = 8;

    /// Reports after which the time between two no longer grows.
    private static final int MAX_PATIENCE = 5;

    private long[] firsts = new long[INITIAL];
    private long[] lasts = new long[INITIAL];
    private long[] dues = new long[INITIAL];
    private int[] reports = new int[INITIAL];
    private int ranges;

    boolean isEmpty() {
        return ranges == 0;
    }

    int ranges() {
        return ranges;
    }

    /// Returns the first missing number; there is one.
    long first() {
        return firsts[0];
    }

    /// Returns the number of missing packets.
    long length() {
        long sum = 0;
        for (int i = 0; i < ranges; i++) {
            sum += lasts[i] - firsts[i] + 1;
        }
        return sum;
    }

    boolean contains(long sequence) {
        int at = find(sequence);
        return at < ranges && firsts[at] <= sequence;
    }

    /// Returns the index of the first range that ends at `sequence` or behind it.
    private int find(long sequence) {
        int low = 0;
        int high = ranges;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lasts[middle] < sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Adds [first, last], which is behind all others and has been reported once.
    ///
    /// @param due when to report it again
    void add(long first, long last, long due) {
        room(ranges + 1);
        set(ranges++, first, last, due, 1);
    }

    /// Takes [first, last] out.
    void remove(long first, long last) {
        for (int i = find(first); i < ranges && firsts[i] <= last; ) {
            if (firsts[i] < first && lasts[i] > last) {
                room(ranges + 1);
                move(i, i + 1);
                lasts[i] = first - 1;
                firsts[i + 1] = last + 1;
                return;
            }
            if (firsts[i] < first) {
                lasts[i++] = first - 1;
            } else if (lasts[i] > last) {
                firsts[i] = last + 1;
                return;
            } else {
                move(i + 1, i);
            }
        }
    }

    /// Returns the time at which something is to be reported, of the first ranges; `Long.MAX_VALUE`
    /// when there is none. Times are compared by difference.
    long due() {
        if (ranges == 0) {
            return Long.MAX_VALUE;
        }
        long earliest = dues[0];
        for (int i = 1; i < ranges; i++) {
            if (dues[i] - earliest < 0) {
                earliest = dues[i];
            }
        }
        return earliest;
    }

    /// Returns the number of words that a report of what is due takes, at most `words`.
    int dueWords(long now, int words) {
        int count = 0;
        for (int i = 0; i < ranges; i++) {
            if (dues[i] - now <= 0) {
                int more = firsts[i] == lasts[i] ? 1 : 2;
                if (count + more > words) {
                    return count;
                }
                count += more;
            }
        }
        return count;
    }

    /// Writes what is due, as many words as [#dueWords] said, and puts it off by `wait` once for
    /// each report so far.
    void report(Buffer to, int words, long now, long wait) {
        for (int i = 0, left = words; left > 0; i++) {
            if (dues[i] - now <= 0) {
                left -= write(to, firsts[i], lasts[i]);
                reports[i] = Math.min(reports[i] + 1, MAX_PATIENCE);
                dues[i] = now + wait * reports[i];
            }
        }
    }

    /// Writes a range as a loss list has it (draft-gg-udt-03, appendix B): the first number with
    /// the highest bit set and the last one, or a single number.
    ///
    /// @return number of words
    static int write(Buffer to, long first, long last) {
        if (first == last) {
            to.writeInt(Sequence.wire(first));
            return 1;
        }
        to.writeInt(Sequence.wire(first) | 0x8000_0000).writeInt(Sequence.wire(last));
        return 2;
    }

    private void set(int at, long first, long last, long due, int count) {
        firsts[at] = first;
        lasts[at] = last;
        dues[at] = due;
        reports[at] = count;
    }

    private void room(int count) {
        if (count > firsts.length) {
            int size = firsts.length * 2;
            firsts = Arrays.copyOf(firsts, size);
            lasts = Arrays.copyOf(lasts, size);
            dues = Arrays.copyOf(dues, size);
            reports = Arrays.copyOf(reports, size);
        }
    }

    /// Moves the ranges from `from` on to `to` and on; what is before keeps its place.
    private void move(int from, int to) {
        int moved = ranges - from;
        System.arraycopy(firsts, from, firsts, to, moved);
        System.arraycopy(lasts, from, lasts, to, moved);
        System.arraycopy(dues, from, dues, to, moved);
        System.arraycopy(reports, from, reports, to, moved);
        ranges = to + moved;
    }
}
