package io.weft.transport.udt.machine;

import java.util.Arrays;

/// The rate at which packets arrive, and the capacity of the path by pairs that were sent back to
/// back: medians of the last intervals, without those that are far from them (draft-gg-udt-03,
/// 6.1).
///
/// A loop takes packets from a socket in batches, whose members have one time: they are counted as
/// spread over the time since the batch before.
final class Arrivals {
    private static final int INTERVALS = 16;
    private static final int PAIRS = 64;

    /// Interval of a pair that came in one batch, in nanoseconds: the least that loops resolve.
    private static final long ONE_BATCH = 10_000;

    private static final long INITIAL_INTERVAL = 1_000_000_000;
    private static final long INITIAL_PAIR = 1_000_000;

    private final long[] intervals = new long[INTERVALS];
    private final long[] pairs = new long[PAIRS];
    private int interval;
    private int pair;
    private long before;
    private long last;
    private int batch;
    private long firstOfPair;
    private long pairSequence = -1;

    Arrivals(long now) {
        Arrays.fill(intervals, INITIAL_INTERVAL);
        Arrays.fill(pairs, INITIAL_PAIR);
        before = now;
        last = now;
    }

    /// A packet has come. Every 16th and the one behind it are a pair.
    void arrived(long sequence, long now) {
        if (now != last) {
            endBatch();
            before = last;
            last = now;
            batch = 0;
        }
        batch++;
        int wire = Sequence.wire(sequence);
        if ((wire & 0xF) == 0) {
            firstOfPair = now;
            pairSequence = sequence;
        } else if ((wire & 0xF) == 1 && pairSequence == sequence - 1) {
            pairs[pair++ % PAIRS] = Math.max(now - firstOfPair, ONE_BATCH);
            pair %= PAIRS;
            pairSequence = -1;
        }
    }

    private void endBatch() {
        if (batch > 0) {
            long each = Math.max((last - before) / batch, 1);
            for (int i = Math.min(batch, INTERVALS); i > 0; i--) {
                intervals[interval++] = each;
                interval %= INTERVALS;
            }
        }
    }

    /// Returns packets a second; 0 while that is not known.
    int rate() {
        long[] sorted = intervals.clone();
        Arrays.sort(sorted);
        long median = (sorted[INTERVALS / 2 - 1] + sorted[INTERVALS / 2]) / 2;
        long sum = 0;
        int count = 0;
        for (long each : sorted) {
            if (each < median * 8 && each > median / 8) {
                sum += each;
                count++;
            }
        }
        return count > INTERVALS / 2 ? perSecond((double) sum / count) : 0;
    }

    /// Returns packets a second that the path could carry.
    int capacity() {
        long[] sorted = pairs.clone();
        Arrays.sort(sorted);
        long median = (sorted[PAIRS / 2 - 1] + sorted[PAIRS / 2]) / 2;
        long sum = median;
        int count = 1;
        for (long each : sorted) {
            if (each < median * 8 && each > median / 8) {
                sum += each;
                count++;
            }
        }
        return perSecond((double) sum / count);
    }

    private static int perSecond(double nanos) {
        return (int) Math.min(Math.ceil(1e9 / Math.max(nanos, 1)), Integer.MAX_VALUE);
    }
}
