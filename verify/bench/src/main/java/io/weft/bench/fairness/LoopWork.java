package io.weft.bench.fairness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/// Processor time of a loop between its answers to the client that is measured.
final class LoopWork {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long[] nanos = new long[1024];
    private int count;
    private long last = -1;

    /// An answer is due. Thread: the loop.
    synchronized void answered() {
        long now = THREADS.getCurrentThreadCpuTime();
        if (last >= 0) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = now - last;
        }
        last = now;
    }

    synchronized void reset() {
        count = 0;
        last = -1;
    }

    synchronized String report() {
        if (count == 0) {
            return "  loop: fewer than two answers";
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return String.format(
                Locale.ROOT,
                "  loop's work from one answer to the next: p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                sorted[count / 2] / 1e6,
                sorted[Math.min(count - 1, (int) (count * 0.99))] / 1e6,
                sorted[count - 1] / 1e6);
    }
}
