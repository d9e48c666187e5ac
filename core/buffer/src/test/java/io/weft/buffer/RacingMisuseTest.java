package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that retain, release and read the same buffer at the same moment, and release more than
/// they own. The memory has to go home once, and nobody else's may show or change.
@Timeout(120)
class RacingMisuseTest {
    private static final int ROUNDS = Integer.getInteger("io.weft.misuses", 1_000_000) / 100;
    private static final byte MARK = 0x55;

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger reclaimed = new AtomicInteger();

    /// The buffer that all threads race for.
    private volatile Buffer prey = BufferAllocator.pooled().allocate(64);

    private Buffer guard = prey;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void memoryGoesHomeOnce(int threads) throws Exception {
        long seed = Long.getLong("io.weft.test.seed", 1);
        prey.release();
        BufferAllocator.pooled().attachThread();
        // The thread that counts without atomics takes part.
        CyclicBarrier start = new CyclicBarrier(threads);
        CyclicBarrier end = new CyclicBarrier(threads);
        List<Thread> others = new ArrayList<>();
        try {
            for (int t = 1; t < threads; t++) {
                Random random = new Random(seed + t);
                others.add(
                        Thread.ofPlatform()
                                .start(
                                        () -> {
                                            for (int round = 0; round < ROUNDS; round++) {
                                                await(start);
                                                race(random);
                                                await(end);
                                            }
                                        }));
            }
            Random random = new Random(seed);
            for (int round = 0; round < ROUNDS; round++) {
                boolean ring = random.nextBoolean();
                open(ring, threads);
                await(start);
                race(random);
                await(end);
                BufferAllocator.pooled().settle();
                check(ring);
            }
            for (Thread other : others) {
                other.join();
            }
        } finally {
            BufferAllocator.pooled().detachThread();
        }
        assertThat(failures).isEmpty();
    }

    private void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            failures.add(e);
        }
    }

    private void open(boolean ring, int owners) {
        guard = BufferAllocator.pooled().allocate(64);
        guard.fill(0, 64, MARK);
        reclaimed.set(0);
        Buffer b;
        if (ring) {
            b = new Block(guard.address(), 64, _ -> reclaimed.incrementAndGet(), 0).open(64);
        } else {
            b = BufferAllocator.pooled().allocate(64);
            b.fill(0, 64, MARK);
        }
        for (int i = 1; i < owners; i++) {
            b.retain();
        }
        prey = b;
    }

    /// Gives up what this thread owns, and perhaps more.
    private void race(Random random) {
        Buffer b = prey;
        try {
            for (int i = random.nextInt(4); i > 0; i--) {
                switch (random.nextInt(3)) {
                    case 0 -> b.retain().release();
                    case 1 -> b.slice(0, 8).release();
                    default -> {
                        // Its memory may have gone home by another's mistake, but not to others:
                        // they are at the barrier.
                        if (b.getByte(7) != MARK) {
                            failures.add(new AssertionError("a foreign byte in " + b));
                        }
                    }
                }
            }
            if (random.nextInt(4) == 0) {
                b.release();
            }
        } catch (IllegalReferenceCountException expected) {
            // Somebody gave up more than was theirs.
        } catch (Throwable t) {
            failures.add(t);
        }
        try {
            b.release();
        } catch (IllegalReferenceCountException expected) {
            // As above.
        } catch (Throwable t) {
            failures.add(t);
        }
    }

    private void check(boolean ring) {
        Buffer b = prey;
        if (b.references() != 0 || (ring && reclaimed.get() != 1)) {
            failures.add(new AssertionError("reclaimed " + reclaimed.get() + " times: " + b));
        }
        // Gone home twice, it would be given out twice.
        Buffer one = BufferAllocator.pooled().allocate(64);
        Buffer other = BufferAllocator.pooled().allocate(64);
        if (one.address() == other.address() || one.address() == guard.address()) {
            failures.add(new AssertionError("given out twice: " + one));
        }
        if (guard.forEachByte(0, 64, each -> each == MARK) >= 0) {
            failures.add(new AssertionError("a foreign byte in " + guard.hexDump()));
        }
        one.release();
        other.release();
        guard.release();
    }
}
