package io.weft.loop;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Hands tasks to a loop that keeps falling asleep, and says for how long the unluckiest of them
/// waited; beside it, for how long the machine itself kept a thread waiting that only wanted to
/// wake up. A lost wake-up is a wait that only the next task, or nothing, ends. Then how long idle
/// executors take to shut down.
///
/// Producers hand over bursts of random length, and pause in between for random times, so that
/// bursts end, and begin, at each point of the loop's way to sleep and back.
@SuppressWarnings("ThreadPriorityCheck") // to yield is to let the loop run, on two processors
final class HandOffs {
    private static final int SLOTS = 1024;
    private static final int PRODUCERS = 2;
    private static final long STALL_NANOS = 10_000_000;
    private static final long HUNG_NANOS = 10_000_000_000L;
    private static final int SHUTDOWNS = 200;

    private final SingleThreadExecutor executor;
    private final long warmup; // so many are not looked at: the machine is busy compiling
    private final AtomicLong wakeups = new AtomicLong();
    private long sleeps; // of the loop
    private long polls; // of the loop
    private long worst; // of the loop
    private long stalls; // of the loop
    private final AtomicLong ran = new AtomicLong();
    private volatile boolean done;
    private volatile long worstOfMachine;

    /// One hand-off at a time; its producer uses it again when it has run.
    private final class HandOff implements Runnable {
        private long handedOver;
        private volatile boolean free = true;

        @Override
        public void run() {
            long waited = System.nanoTime() - handedOver;
            long before = ran.getPlain();
            if (before >= warmup) {
                worst = Math.max(worst, waited);
                stalls += waited > STALL_NANOS ? 1 : 0;
            }
            free = true;
            ran.setRelease(before + 1); // written by the loop alone
        }
    }

    private final class Counting implements LoopDriver {
        private final LoopDriver parking = LoopDriver.parking();

        @Override
        public void start() {
            parking.start();
        }

        @Override
        public void poll(long timeoutNanos) {
            polls++;
            if (timeoutNanos > 0) {
                sleeps++;
            }
            parking.poll(timeoutNanos);
        }

        @Override
        public void wakeup() {
            wakeups.incrementAndGet();
            parking.wakeup();
        }

        @Override
        public void close() {
            parking.close();
        }
    }

    private HandOffs(long count) {
        warmup = Math.min(count / 2, 1_000_000);
        executor = SingleThreadExecutor.builder("hand-offs").driver(new Counting()).build();
    }

    public static void main(String[] args) throws InterruptedException {
        long count = args.length > 0 ? Long.parseLong(args[0]) : 100_000_000;
        boolean well = new HandOffs(count).run(count);
        idleShutdowns();
        System.exit(well ? 0 : 1);
    }

    private boolean run(long count) throws InterruptedException {
        long seed = System.nanoTime();
        System.out.printf("%,d hand-offs by %d producers, seed %d%n", count, PRODUCERS, seed);
        long start = System.nanoTime();
        for (int p = 0; p < PRODUCERS; p++) {
            long share = count / PRODUCERS + (p < count % PRODUCERS ? 1 : 0);
            var random = new SplittableRandom(seed + p);
            Thread.ofPlatform().daemon().start(() -> produce(share, random));
        }
        Thread jitter = Thread.ofPlatform().daemon().start(this::jitter);
        long last = 0;
        long since = start;
        while (ran.get() < count) {
            Thread.sleep(100);
            long now = System.nanoTime();
            if (ran.get() != last) {
                last = ran.get();
                since = now;
            } else if (now - since > HUNG_NANOS) {
                System.out.printf("HUNG after %,d: no hand-off for ten seconds%n", last);
                return false;
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        done = true;
        jitter.join();
        executor.shutdownGracefully().join();
        System.out.printf(
                "%,d hand-offs in %.1f s, %,.0f a second%n", count, seconds, count / seconds);
        // A wake-up may also meet a loop that was about to sleep and found the task by itself.
        System.out.printf(
                "%,d rounds, %,d sleeps, %,d wake-ups (expected: <= rounds)%n",
                polls, sleeps, wakeups.get());
        System.out.printf(
                "worst hand-off %.3f ms, %d above 10 ms; worst wait that the machine imposed %.3f ms%n",
                worst / 1e6, stalls, worstOfMachine / 1e6);
        boolean well = wakeups.get() <= polls && worst <= Math.max(STALL_NANOS, 2 * worstOfMachine);
        System.out.println(well ? "no stall that the machine itself does not show" : "STALLED");
        return well;
    }

    private void produce(long count, SplittableRandom random) {
        HandOff[] slots = new HandOff[SLOTS];
        Arrays.setAll(slots, _ -> new HandOff());
        int next = 0;
        for (long left = count; left > 0; ) {
            long burst = Math.min(left, random.nextInt(1, 64));
            for (long i = 0; i < burst; i++) {
                HandOff slot = slots[next];
                while (!slot.free) {
                    Thread.yield(); // there may be no processor for the loop
                }
                slot.free = false;
                slot.handedOver = System.nanoTime();
                executor.execute(slot);
                next = (next + 1) % SLOTS;
            }
            left -= burst;
            for (int spins = random.nextInt(2000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
        }
    }

    /// Sleeps and wakes up as a loop does, with no producer to wait for.
    private void jitter() {
        while (!done) {
            long before = System.nanoTime();
            LockSupport.parkNanos(this, 100_000);
            worstOfMachine = Math.max(worstOfMachine, System.nanoTime() - before - 100_000);
        }
    }

    private static void idleShutdowns() {
        long[] nanos = new long[SHUTDOWNS];
        for (int i = 0; i < SHUTDOWNS; i++) {
            var idle = new SingleThreadExecutor("idle");
            idle.submit(() -> "").join();
            LockSupport.parkNanos(1_000_000); // falls asleep
            long start = System.nanoTime();
            idle.shutdownGracefully(Duration.ZERO, Duration.ofSeconds(15)).join();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "shutdown of an idle executor: median %.3f ms, worst of %d %.3f ms (expected: <= 50)%n",
                nanos[SHUTDOWNS / 2] / 1e6, SHUTDOWNS, nanos[SHUTDOWNS - 1] / 1e6);
    }
}
