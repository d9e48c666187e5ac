package io.weft.transport.udt.machine;

import java.util.Arrays;

/// Ranges of sequence numbers that are to be sent again, in order, none of which touch.
///
/// Sorted arrays: ranges are few mostly, at most half of a window, and the first goes first.
final class LossList {
    private static final int INITIAL = 8;

    /// Ranges at most. One more is not noted: a peer asks again for what it lacks, and one that
    /// asks for every other packet of a large window would else have each of its packets cost a
    /// walk.
    static final int MAX_RANGES = 4096;

    private long[] firsts = new long[INITIAL];
    private long[] lasts = new long[INITIAL];
    private int ranges;

    boolean isEmpty() {
        return ranges == 0;
    }

    int ranges() {
        return ranges;
    }

    /// Returns the number of sequence numbers.
    long length() {
        long sum = 0;
        for (int i = 0; i < ranges; i++) {
            sum += lasts[i] - firsts[i] + 1;
        }
        return sum;
    }

    long first() {
        return firsts[0];
    }

    /// Adds [first, last]; what is there already stays once. Not if it touches none of
    /// [#MAX_RANGES].
    void add(long first, long last) {
        int from = firstFrom(first - 1);
        int to = from;
        long low = first;
        long high = last;
        while (to < ranges && firsts[to] <= last + 1) {
            low = Math.min(low, firsts[to]);
            high = Math.max(high, lasts[to]);
            to++;
        }
        if (to > from || ranges < MAX_RANGES) {
            replace(from, to, low, high);
        }
    }

    /// Returns the index of the first range that ends at `number` or behind it.
    private int firstFrom(long number) {
        int at = Arrays.binarySearch(lasts, 0, ranges, number);
        return at < 0 ? -at - 1 : at;
    }

    /// Takes the first number out.
    long removeFirst() {
        long first = firsts[0]++;
        if (firsts[0] > lasts[0]) {
            shift(1, 0);
        }
        return first;
    }

    /// Takes all below `end` out.
    void removeBelow(long end) {
        int gone = 0;
        while (gone < ranges && lasts[gone] < end) {
            gone++;
        }
        if (gone > 0) {
            shift(gone, 0);
        }
        if (ranges > 0 && firsts[0] < end) {
            firsts[0] = end;
        }
    }

    /// Takes [first, last] out.
    void remove(long first, long last) {
        for (int i = 0; i < ranges; ) {
            if (lasts[i] < first) {
                i++;
            } else if (firsts[i] > last) {
                return;
            } else if (firsts[i] < first && lasts[i] > last) {
                long end = lasts[i];
                lasts[i] = first - 1;
                shift(i + 1, i + 2);
                firsts[i + 1] = last + 1;
                lasts[i + 1] = end;
                return;
            } else if (firsts[i] < first) {
                lasts[i++] = first - 1;
            } else if (lasts[i] > last) {
                firsts[i] = last + 1;
                return;
            } else {
                shift(i + 1, i);
            }
        }
    }

    /// Puts [low, high] in place of the ranges from `from` to `to`, without the last.
    private void replace(int from, int to, long low, long high) {
        shift(to, from + 1);
        firsts[from] = low;
        lasts[from] = high;
    }

    /// Moves the ranges from `from` on to `to` and on.
    private void shift(int from, int to) {
        if (from == to) {
            return; // as for a range that is noted already: a report names hundreds
        }
        int moved = ranges - from;
        if (to + moved > firsts.length) {
            firsts = Arrays.copyOf(firsts, firsts.length * 2);
            lasts = Arrays.copyOf(lasts, lasts.length * 2);
        }
        System.arraycopy(firsts, from, firsts, to, moved);
        System.arraycopy(lasts, from, lasts, to, moved);
        ranges = to + moved;
    }
}
