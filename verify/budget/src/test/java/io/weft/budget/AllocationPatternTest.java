package io.weft.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Memory that the allocator holds after a burst of traffic, and after a quiet minute, while one in
/// 200 buffers is still open. Four threads take turns, so that a seed always gives the same
/// figures; a quarter of the buffers is released by another thread than the one that allocated
/// them.
class AllocationPatternTest {
    private static final int THREADS = 4;
    private static final int TURNS = 200;
    private static final int SURVIVORS = 200;

    private final BufferAllocator allocator = BufferAllocator.pooled();
    private final List<Worker> workers = new ArrayList<>();
    private long openBytes;
    private long peakBytes;

    /// Driven by one thread of its own, one turn at a time.
    private final class Worker implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final AllocationPattern pattern;
        private final Random random;
        private final List<Buffer> open = new ArrayList<>();
        private final ArrayDeque<Buffer> handedOver = new ArrayDeque<>();

        Worker(AllocationPattern pattern, long seed) {
            this.pattern = pattern;
            random = new Random(seed);
            run(allocator::attachThread);
        }

        void run(Runnable step) {
            try {
                thread.submit(step).get();
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        /// @param target how many buffers to have open at the end of this turn
        void turn(int target) {
            releaseHandedOver();
            for (int i = 0; i < pattern.open / 4 + 1; i++) {
                if (open.size() < target || (open.size() == target && random.nextBoolean())) {
                    Buffer buffer = allocator.allocate(pattern.next(random));
                    openBytes += buffer.capacity();
                    open.add(buffer);
                } else if (!open.isEmpty()) {
                    giveUp(open.remove(random.nextInt(open.size())));
                }
            }
            peakBytes = Math.max(peakBytes, openBytes);
        }

        private void giveUp(Buffer buffer) {
            if (random.nextInt(4) == 0) {
                workers.get(random.nextInt(THREADS)).handedOver.add(buffer);
            } else {
                release(buffer);
            }
        }

        private void release(Buffer buffer) {
            openBytes -= buffer.capacity();
            buffer.release();
        }

        void releaseHandedOver() {
            while (!handedOver.isEmpty()) {
                release(handedOver.remove());
            }
        }

        void releaseAllBut(int oneIn) {
            List<Buffer> kept = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                if (i % oneIn == oneIn - 1) {
                    kept.add(open.get(i));
                } else {
                    giveUp(open.get(i));
                }
            }
            open.clear();
            open.addAll(kept);
        }

        @Override
        public void close() {
            run(allocator::detachThread);
            thread.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBurstLeavesLittleBehind(AllocationPattern pattern) throws IOException {
        allocator.trim();
        long before = allocator.reservedBytes();
        for (int i = 0; i < THREADS; i++) {
            workers.add(new Worker(pattern, 42 + i));
        }
        for (int turn = 1; turn <= TURNS; turn++) {
            int target = pattern.open * Math.min(turn, TURNS / 4) / (TURNS / 4);
            workers.forEach(worker -> worker.run(() -> worker.turn(target)));
        }
        long held = allocator.reservedBytes() - before;
        workers.forEach(worker -> worker.run(() -> worker.releaseAllBut(SURVIVORS)));
        workers.forEach(worker -> worker.run(worker::releaseHandedOver));
        long afterBurst = allocator.reservedBytes() - before;
        quietMinute();
        long afterMinute = allocator.reservedBytes() - before;
        System.out.printf(
                Locale.ROOT,
                "%s: open %d KiB at the peak; reserved %d KiB then, %d after the burst;"
                        + " open %d KiB after a minute, reserved %d%n",
                pattern,
                peakBytes >> 10,
                held >> 10,
                afterBurst >> 10,
                openBytes >> 10,
                afterMinute >> 10);
        workers.forEach(worker -> worker.run(() -> worker.releaseAllBut(Integer.MAX_VALUE)));
        workers.forEach(worker -> worker.run(worker::releaseHandedOver));
        quietMinute();
        assertThat(allocator.reservedBytes()).isLessThanOrEqualTo(before);
        workers.forEach(Worker::close);
        assertThat(afterBurst >> 10).isLessThanOrEqualTo(budget(pattern, "burst"));
        assertThat(afterMinute >> 10).isLessThanOrEqualTo(budget(pattern, "minute"));
    }

    private void quietMinute() {
        for (int second = 0; second <= 60; second += 10) {
            long now = second * 1_000_000_000L;
            workers.forEach(worker -> worker.run(() -> allocator.idle(now)));
        }
    }

    /// KiB.
    private static long budget(AllocationPattern pattern, String moment) throws IOException {
        Properties budgets = new Properties();
        try (InputStream in =
                AllocationPatternTest.class.getResourceAsStream(
                        "/allocation-patterns.properties")) {
            budgets.load(in);
        }
        return Long.parseLong(
                budgets.getProperty(pattern.name().toLowerCase(Locale.ROOT) + "." + moment));
    }
}
