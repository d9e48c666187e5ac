package io.weft.conformance.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// Tells loops that wait from loops that spin, without a clock: a thread that spins beside them
/// uses some processor time, and a loop that spins gets about as much meanwhile, however loaded the
/// machine is.
public final class Processor {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final int WINDOWS = 10;

    private Processor() {}

    /// A loop that spins does so in each of some windows; one that finishes what it was at, or
    /// whose methods are just being compiled, rests in one of them.
    static void assertIdle(EventLoopGroup group, long spinMillis) {
        for (EventLoop loop : group.loops()) {
            long thread = loop.submit(() -> Thread.currentThread().threadId()).join();
            long used = Long.MAX_VALUE;
            long spun = 0;
            for (int window = 0; window < WINDOWS && used >= spun / 2; window++) {
                long before = THREADS.getThreadCpuTime(thread);
                spun = spin(spinMillis);
                used = THREADS.getThreadCpuTime(thread) - before;
            }
            assertThat(used)
                    .as("processor time of %s while the test used %d ns", loop, spun)
                    .isLessThan(spun / 2);
        }
    }

    /// Uses that much processor time and returns how much it was.
    public static long spin(long millis) {
        long start = THREADS.getCurrentThreadCpuTime();
        long used = 0;
        while (used < millis * 1_000_000) {
            Thread.onSpinWait();
            used = THREADS.getCurrentThreadCpuTime() - start;
        }
        return used;
    }
}
