package io.weft.loop;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SerialExecutorTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(3);

    @AfterEach
    void endThePool() {
        pool.close();
    }

    @Test
    void tasksRunInOrderOneAtATimeOnWhateverThreads() throws InterruptedException {
        SerialExecutor executor = new SerialExecutor(pool, 1 << 16);
        // Neither thread-safe nor volatile: each task sees what those before it did.
        int[] count = new int[2];
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            int me = p;
            producers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < 20_000; i++) {
                                            int expected = i;
                                            executor.execute(
                                                    () -> {
                                                        if (count[me] == expected) {
                                                            count[me]++;
                                                        }
                                                    });
                                        }
                                    }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
        executor.shutdownGracefully().join();
        assertThat(count).containsExactly(20_000, 20_000);
        assertThat(pool.isShutdown()).isFalse();
    }

    @Test
    void noTurnIsLost() {
        SerialExecutor executor = SerialExecutor.onVirtualThreads();
        for (int i = 0; i < 20_000; i++) {
            int me = i;
            assertThat(executor.submit(() -> me).join()).isEqualTo(me);
        }
    }

    @Test
    void blockingTasksRunOnVirtualThreadsInTheLoop() {
        SerialExecutor executor = SerialExecutor.onVirtualThreads();
        assertThat(executor.inLoop()).isFalse();
        assertThat(executor.submit(executor::inLoop).join()).isTrue();
        assertThat(executor.submit(() -> Thread.currentThread().isVirtual()).join()).isTrue();
        Future<Void> refused = executor.submit(() -> executor.shutdownGracefully().join());
        assertThatThrownBy(refused::join).hasCauseInstanceOf(BlockingOperationException.class);
        executor.terminationFuture().join();
    }

    @Test
    void timersRunWithoutAThreadThatWaits() throws InterruptedException {
        SerialExecutor executor = new SerialExecutor(pool);
        CountDownLatch ticks = new CountDownLatch(20);
        var rate = executor.scheduleAtFixedRate(ticks::countDown, 1, 1, MILLISECONDS);
        ticks.await();
        assertThat(rate.cancel()).isTrue();
        var far = executor.schedule(() -> {}, 1, DAYS);
        Promise<String> near = executor.newPromise();
        executor.schedule(() -> near.setSuccess("before the far one"), 1, MILLISECONDS);
        assertThat(near.join()).isEqualTo("before the far one");
        executor.shutdownGracefully().join();
        assertThat(far.isCancelled()).isTrue();
        assertThatThrownBy(() -> executor.schedule(() -> {}, 1, DAYS))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void anAlarmThatRingsDuringATurnIsNotForgotten() {
        SerialExecutor executor = new SerialExecutor(pool);
        for (int i = 0; i < 2_000; i++) {
            Promise<Integer> fired = executor.newPromise();
            int me = i;
            executor.schedule(() -> fired.setSuccess(me), 1 + (i % 7) * 10_000, NANOSECONDS);
            executor.execute(() -> {});
            assertThat(fired.join()).isEqualTo(me);
        }
    }

    @Test
    void whatAnExecutorRefusesIsRunAllTheSame() {
        SerialExecutor executor = new SerialExecutor(pool);
        pool.shutdown();
        assertThat(executor.submit(() -> Thread.currentThread().isVirtual()).join()).isTrue();
        executor.shutdownGracefully().join();
    }

    @Test
    void aFullQueueRefusesAndCompletionsGetIn() throws InterruptedException {
        SerialExecutor executor = new SerialExecutor(pool, 2);
        Held held = Held.hold(executor);
        AtomicInteger ran = new AtomicInteger();
        executor.execute(ran::incrementAndGet);
        executor.execute(ran::incrementAndGet);
        assertThat(executor.pendingTasks()).isEqualTo(2);
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
        executor.executeUnbounded(ran::incrementAndGet);
        held.letGo();
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(3);
    }

    @Test
    void shutdownLosesNoAcceptedTask() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            SerialExecutor executor = new SerialExecutor(pool);
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            Thread producer =
                    Thread.ofPlatform()
                            .start(
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
                                    });
            while (ran.get() < round) {
                Thread.onSpinWait();
            }
            executor.shutdownGracefully().join();
            int ranAtTheEnd = ran.get();
            producer.join();
            assertThat(accepted.get()).isEqualTo(ran.get()).isEqualTo(ranAtTheEnd);
        }
    }

    @Test
    void anAlarmThatRingsAfterTheEndAsksForNoTurn() {
        ArrayDeque<Runnable> turns = new ArrayDeque<>();
        SerialExecutor executor = new SerialExecutor(turns::add);
        executor.schedule(() -> {}, 1, DAYS);
        Future<Void> end = executor.shutdownGracefully();
        turns.remove().run();
        assertThat(end.isSuccess()).isTrue();
        executor.ring();
        assertThat(turns).isEmpty();
    }

    @Test
    void anAlarmThatRingsDuringTheLastTurnAsksForNoOther() {
        ArrayDeque<Runnable> turns = new ArrayDeque<>();
        SerialExecutor executor = new SerialExecutor(turns::add);
        executor.execute(executor::ring);
        Future<Void> end = executor.shutdownGracefully();
        turns.remove().run();
        assertThat(end.isSuccess()).isTrue();
        assertThat(turns).isEmpty();
    }

    /// A pool that is shut down at once drops the turn that was queued there.
    private static ExecutorService heldUntilInterrupted() throws InterruptedException {
        ExecutorService one = Executors.newSingleThreadExecutor();
        CountDownLatch held = new CountDownLatch(1);
        one.execute(
                () -> {
                    held.countDown();
                    while (!Thread.currentThread().isInterrupted()) {
                        LockSupport.park();
                    }
                });
        held.await();
        return one;
    }

    @Test
    void aTurnThatThePoolDroppedIsTakenWhenTheExecutorEnds() throws InterruptedException {
        ExecutorService one = heldUntilInterrupted();
        SerialExecutor executor = new SerialExecutor(one);
        AtomicInteger ran = new AtomicInteger();
        executor.execute(ran::incrementAndGet);
        assertThat(one.shutdownNow()).hasSize(1);
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(1);
    }

    @Test
    void aTurnThatThePoolDroppedIsTakenWithTheNextTask() throws InterruptedException {
        ExecutorService one = heldUntilInterrupted();
        SerialExecutor executor = new SerialExecutor(one);
        AtomicInteger ran = new AtomicInteger();
        executor.execute(ran::incrementAndGet);
        one.shutdownNow();
        assertThat(executor.submit(ran::incrementAndGet).join()).isEqualTo(2);
        executor.shutdownGracefully().join();
    }

    @Test
    void anExecutorThatRunsATurnAndThrowsAllTheSameRunsItOnce() {
        SerialExecutor executor =
                new SerialExecutor(
                        turn -> {
                            turn.run();
                            throw new IllegalStateException("expected in the log");
                        });
        AtomicInteger ran = new AtomicInteger();
        for (int i = 1; i <= 100; i++) {
            executor.execute(ran::incrementAndGet);
        }
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(100);
    }

    @Test
    void turnsOnTheCallersThreadDoNotNest() {
        SerialExecutor executor = new SerialExecutor(Runnable::run);
        List<Integer> depths = new ArrayList<>();
        Runnable task =
                new Runnable() {
                    private int left = 20_000; // several turns' worth

                    @Override
                    public void run() {
                        if (left % 1000 == 0) {
                            depths.add(Thread.currentThread().getStackTrace().length);
                        }
                        if (left-- > 0) {
                            executor.execute(this);
                        }
                    }
                };
        executor.execute(task);
        assertThat(depths).hasSize(21).containsOnly(depths.getFirst());
    }
}
