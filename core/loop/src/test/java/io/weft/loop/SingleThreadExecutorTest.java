package io.weft.loop;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // join() ignores interrupts
class SingleThreadExecutorTest {
    private final List<SingleThreadExecutor> executors = new ArrayList<>();

    private SingleThreadExecutor executor() {
        return add(new SingleThreadExecutor("loop"));
    }

    private SingleThreadExecutor add(SingleThreadExecutor executor) {
        executors.add(executor);
        return executor;
    }

    @AfterEach
    void allEnd() {
        for (SingleThreadExecutor executor : executors) {
            executor.shutdownGracefully().join();
            assertThat(executor.isTerminated()).isTrue();
        }
    }

    @Test
    void runsTasksInOrderOnItsOwnThread() {
        SingleThreadExecutor executor = executor();
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            int me = i;
            executor.execute(() -> ran.add(me));
        }
        assertThat(executor.inLoop()).isFalse();
        assertThat(executor.submit(executor::inLoop).join()).isTrue();
        assertThat(executor.submit(() -> Thread.currentThread().getName()).join())
                .isEqualTo("loop");
        assertThat(executor.submit(() -> Thread.currentThread().isDaemon()).join()).isFalse();
        assertThat(ran).hasSize(10_000).isSorted();
    }

    /// Each task posts the next to the other loop, so that nearly every one finds its loop asleep
    /// or falling asleep.
    @Test
    void noWakeUpIsLostInAPingPong() throws InterruptedException {
        SingleThreadExecutor ping = executor();
        SingleThreadExecutor pong = executor();
        CountDownLatch done = new CountDownLatch(100_000);
        class Ball implements Runnable {
            @Override
            public void run() {
                done.countDown();
                if (done.getCount() > 0) {
                    (ping.inLoop() ? pong : ping).execute(this);
                }
            }
        }
        ping.execute(new Ball());
        done.await();
    }

    @Test
    void noWakeUpIsLostToManyProducers() throws InterruptedException {
        SingleThreadExecutor executor = executor();
        List<Thread> producers = new ArrayList<>();
        AtomicInteger ran = new AtomicInteger();
        for (int p = 0; p < 3; p++) {
            producers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < 10_000; i++) {
                                            // Waits for each, so that the loop sleeps in between.
                                            executor.submit(ran::incrementAndGet).join();
                                        }
                                    }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertThat(ran).hasValue(30_000);
    }

    /// The clock is what the loop reads last before it declares itself asleep: a task slipped in
    /// there finds the loop awake, so that only the loop's second look can find the task.
    @Test
    void aTaskThatComesWhileTheLoopFallsAsleepIsRun() throws InterruptedException {
        Semaphore sleeps = new Semaphore(0);
        AtomicInteger readsSincePoll = new AtomicInteger();
        Runnable nothing = () -> {};
        AtomicReference<Runnable> slipIn = new AtomicReference<>(nothing);
        AtomicReference<Thread> loop = new AtomicReference<>();
        LoopDriver parking = LoopDriver.parking();
        LoopDriver driver =
                new LoopDriver() {
                    @Override
                    public void start() {
                        loop.set(Thread.currentThread());
                        parking.start();
                    }

                    @Override
                    public void poll(long timeoutNanos) {
                        if (timeoutNanos > 0) {
                            sleeps.release();
                        }
                        parking.poll(timeoutNanos);
                        readsSincePoll.set(0);
                    }

                    @Override
                    public void wakeup() {
                        parking.wakeup();
                    }

                    @Override
                    public void close() {
                        parking.close();
                    }
                };
        Clock clock =
                () -> {
                    // Once before the due timers, once when the loop has found no task.
                    if (Thread.currentThread() == loop.get()
                            && readsSincePoll.incrementAndGet() == 2) {
                        slipIn.getAndSet(nothing).run();
                    }
                    return System.nanoTime();
                };
        SingleThreadExecutor executor =
                add(SingleThreadExecutor.builder("loop").driver(driver).clock(clock).build());
        executor.schedule(() -> {}, 1, DAYS);
        sleeps.acquire(); // from now on there is a timer, and each round reads the clock at least
        // twice
        for (int round = 0; round < 100; round++) {
            Promise<String> ran = new Promise<>(executor);
            slipIn.set(() -> inAnotherThread(() -> executor.execute(() -> ran.setSuccess("x"))));
            executor.execute(() -> {});
            assertThat(ran.join()).isEqualTo("x");
        }
    }

    private static void inAnotherThread(Runnable task) {
        try {
            Thread.ofPlatform().start(task).join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void timersRunAndCanBeCancelledFromElsewhere() throws InterruptedException {
        SingleThreadExecutor executor = executor();
        CountDownLatch ticks = new CountDownLatch(3);
        AtomicReference<String> unexpected = new AtomicReference<>();
        io.weft.loop.Timeout rate =
                executor.scheduleAtFixedRate(ticks::countDown, 1, 1, MILLISECONDS);
        io.weft.loop.Timeout never = executor.schedule(() -> unexpected.set("ran"), 1, DAYS);
        assertThat(never.cancel()).isTrue();
        ticks.await();
        assertThat(rate.cancel()).isTrue();
        assertThat(rate.cancel()).isFalse();
        assertThat(unexpected).hasNullValue();
    }

    @Test
    void aNearerTimerWakesALoopThatSleepsForAFarOne() {
        SingleThreadExecutor executor = executor();
        executor.schedule(() -> {}, 1, DAYS);
        Promise<String> fired = executor.newPromise();
        executor.schedule(() -> fired.setSuccess("x"), 2, MILLISECONDS);
        assertThat(fired.join()).isEqualTo("x");
    }

    @Test
    void theLoopSurvivesWhateverIsThrown() {
        SingleThreadExecutor executor = executor();
        executor.execute(
                () -> {
                    throw new IllegalStateException("expected in the log");
                });
        executor.execute(this::overflowTheStack);
        executor.execute(
                () -> {
                    throw new OutOfMemoryError("expected in the log");
                });
        executor.execute(Thread.currentThread()::getName);
        executor.execute(() -> Thread.currentThread().interrupt());
        assertThat(executor.submit(() -> "alive").join()).isEqualTo("alive");
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private int overflowTheStack() {
        return 1 + overflowTheStack();
    }

    @Test
    void waitingForItselfIsRefused() {
        SingleThreadExecutor executor = executor();
        Future<Void> refused =
                executor.submit(
                        () -> {
                            executor.submit(() -> "x").join();
                            return null;
                        });
        assertThatThrownBy(refused::join).hasCauseInstanceOf(BlockingOperationException.class);
        Future<Void> shutdown = executor.submit(() -> executor.shutdownGracefully().join());
        assertThatThrownBy(shutdown::join).hasCauseInstanceOf(BlockingOperationException.class);
    }

    @Test
    void aFullQueueIsRefusedWithItsLimit() throws InterruptedException {
        SingleThreadExecutor executor =
                add(SingleThreadExecutor.builder("small").queueCapacity(4).build());
        Held held = Held.hold(executor);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            executor.execute(ran::incrementAndGet);
        }
        assertThat(executor.pendingTasks()).isEqualTo(4);
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage(
                        "task queue of SingleThreadExecutor(small): 4 tasks (expected: room for another)");
        executor.executeUnbounded(ran::incrementAndGet);
        held.letGo();
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(5);
    }

    @Test
    void aThreadThatCannotBeStartedIsTheCallersErrorAndTriedAnew() {
        AtomicInteger calls = new AtomicInteger();
        ThreadFactory factory =
                task -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("no thread");
                    }
                    return Thread.ofPlatform().unstarted(task);
                };
        SingleThreadExecutor executor =
                add(SingleThreadExecutor.builder("x").threadFactory(factory).build());
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);
        assertThat(executor.pendingTasks()).isZero();
        assertThat(executor.submit(() -> "second").join()).isEqualTo("second");
        assertThat(calls).hasValue(2);
    }

    @Test
    void aVirtualThreadDoesForALoopWithoutIo() {
        SingleThreadExecutor executor =
                add(
                        SingleThreadExecutor.builder("v")
                                .threadFactory(Thread.ofVirtual().factory())
                                .build());
        assertThat(executor.submit(() -> Thread.currentThread().isVirtual()).join()).isTrue();
    }

    @Test
    void shutdownLosesNoAcceptedTask() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            SingleThreadExecutor executor = new SingleThreadExecutor("round " + round);
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            Runnable producer =
                    () -> {
                        while (true) {
                            try {
                                executor.execute(ran::incrementAndGet);
                                accepted.incrementAndGet();
                            } catch (RejectedExecutionException e) {
                                if (executor.isShuttingDown()) {
                                    return; // else only full
                                }
                            }
                        }
                    };
            Thread one = Thread.ofPlatform().start(producer);
            Thread two = Thread.ofPlatform().start(producer);
            while (ran.get() < round) {
                Thread.onSpinWait();
            }
            executor.shutdownGracefully(Duration.ZERO, Duration.ZERO).join();
            int ranAtTheEnd = ran.get();
            one.join();
            two.join();
            assertThat(accepted.get()).isEqualTo(ran.get()).isEqualTo(ranAtTheEnd);
        }
    }

    @Test
    void anExecutorThatWasNeverUsedEndsToo() {
        SingleThreadExecutor executor = executor();
        Future<Void> end = executor.shutdownGracefully();
        assertThat(executor.terminationFuture()).isSameAs(end);
        assertThat(end.cancel()).isFalse();
        end.join();
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("SingleThreadExecutor(loop): shut down (expected: running)");
        List<String> told = new ArrayList<>();
        end.addListener(f -> told.add("told"));
        assertThat(told).containsExactly("told");
    }

    @Test
    void timersThatAreNotDueAreCancelledAtTheEnd() {
        SingleThreadExecutor executor = executor();
        io.weft.loop.Timeout far = executor.schedule(() -> {}, 1, DAYS);
        executor.shutdownGracefully().join();
        assertThat(far.isCancelled()).isTrue();
    }
}
