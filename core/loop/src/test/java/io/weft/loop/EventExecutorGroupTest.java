package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventExecutorGroupTest {
    @Test
    void tasksGoToOneExecutorAfterTheOther() {
        try (EventExecutorGroup group = EventExecutorGroup.create("turns", 3)) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                names.add(group.submit(() -> Thread.currentThread().getName()).join());
            }
            assertThat(names)
                    .containsExactly(
                            "turns-0", "turns-1", "turns-2", "turns-0", "turns-1", "turns-2");
        }
    }

    @Test
    void tasksOfAKeyRunInOrderOnOneThread() {
        Map<Integer, List<Integer>> ran = new ConcurrentHashMap<>();
        Map<Integer, ConcurrentLinkedQueue<Thread>> threads = new ConcurrentHashMap<>();
        try (EventExecutorGroup group = EventExecutorGroup.create("keys", 3)) {
            for (int i = 0; i < 2_000; i++) {
                Integer key = i % 10;
                int me = i;
                group.execute(
                        key,
                        () -> {
                            ran.computeIfAbsent(key, _ -> new ArrayList<>()).add(me);
                            threads.computeIfAbsent(key, _ -> new ConcurrentLinkedQueue<>())
                                    .add(Thread.currentThread());
                        });
            }
        }
        assertThat(ran).hasSize(10).allSatisfy((_, all) -> assertThat(all).hasSize(200).isSorted());
        assertThat(threads)
                .allSatisfy((_, all) -> assertThat(List.copyOf(all)).containsOnly(all.element()));
    }

    @Test
    void keysThatCountUpSpreadEvenly() {
        for (int size : new int[] {2, 3, 7, 8}) {
            try (EventExecutorGroup group = EventExecutorGroup.create("spread", size)) {
                Map<EventExecutor, Integer> count = new HashMap<>();
                for (int key = -500; key < 500; key++) {
                    count.merge(group.executorOf(key), 1, Integer::sum);
                }
                int even = 1000 / size;
                assertThat(count).hasSize(size);
                assertThat(count.values()).allMatch(n -> Math.abs(n - even) <= even / 10 + 2);
            }
        }
    }

    @Test
    void theLeastLoadedGetsTheTaskAndEqualsTakeTurns() {
        List<ManualExecutor> executors =
                List.of(new ManualExecutor(), new ManualExecutor(), new ManualExecutor());
        EventExecutorGroup group = EventExecutorGroup.of(executors, ExecutorChooser.leastLoaded());
        for (int i = 0; i < 3; i++) {
            group.execute(() -> {});
        }
        assertThat(executors).allMatch(e -> e.pendingTasks() == 1);
        executors.get(1).runPending();
        assertThat(group.next()).isSameAs(executors.get(1));
        assertThat(group.next()).isSameAs(executors.get(1));
        assertThat(group.pendingTasks()).isEqualTo(2);
    }

    @Test
    void allAreAskedToEndBeforeAnyIsWaitedFor() {
        List<ManualExecutor> executors = List.of(new ManualExecutor(), new ManualExecutor());
        EventExecutorGroup group = EventExecutorGroup.of(executors, ExecutorChooser.roundRobin());
        var end = group.shutdownGracefully().toCompletableFuture();
        assertThat(executors).allMatch(EventExecutor::isShuttingDown);
        assertThat(group.isShuttingDown()).isTrue();
        executors.get(1).runPending();
        assertThat(end).isNotDone();
        executors.get(0).runPending();
        assertThat(end).isCompleted();
        assertThat(group.isTerminated()).isTrue();
    }

    @Test
    void oneThatCannotEndDoesNotKeepTheOthersFromEnding() {
        SingleThreadExecutor broken =
                SingleThreadExecutor.builder("broken")
                        .threadFactory(
                                _ -> {
                                    throw new OutOfMemoryError("no thread");
                                })
                        .build();
        SingleThreadExecutor other = new SingleThreadExecutor("other");
        EventExecutorGroup group =
                EventExecutorGroup.of(List.of(broken, other, broken), ExecutorChooser.roundRobin());
        var end = group.shutdownGracefully().toCompletableFuture();
        assertThatThrownBy(end::join).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(other.isTerminated()).isTrue();
        assertThat(group.isTerminated()).isFalse();
    }

    @Test
    void aNegativeDurationIsRefusedAndNobodyIsAsked() {
        try (EventExecutorGroup group = EventExecutorGroup.create("refuses", 2)) {
            assertThatThrownBy(() -> group.shutdownGracefully(Duration.ZERO, Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeout: PT-0.000000001S (expected: >= 0)");
            assertThat(group.isShuttingDown()).isFalse();
        }
        assertThatThrownBy(() -> EventExecutorGroup.create("none", 0))
                .hasMessage("threads: 0 (expected: 1..1024)");
    }

    @Test
    @SuppressWarnings("try") // the explicit call to close() is the subject
    void closingFromWithinIsRefused() {
        try (EventExecutorGroup group = EventExecutorGroup.create("self", 2)) {
            Future<Void> refused =
                    group.submit(
                            () -> {
                                group.close();
                                return null;
                            });
            assertThatThrownBy(refused::join).hasCauseInstanceOf(BlockingOperationException.class);
            assertThat(group.isShuttingDown()).isFalse();
        }
    }

    @Test
    void settingsReachEveryExecutor() throws InterruptedException {
        List<Held> held = new ArrayList<>();
        var names = new ConcurrentLinkedQueue<String>();
        try (EventExecutorGroup group =
                EventExecutorGroup.builder("set", 2)
                        .threadFactory(Thread.ofPlatform().daemon().name("mine").factory())
                        .executors(one -> one.queueCapacity(1))
                        .build()) {
            for (EventExecutor executor : group.executors()) {
                executor.submit(() -> names.add(Thread.currentThread().getName())).join();
                held.add(Held.hold(executor));
            }
            group.execute(() -> {});
            group.execute(() -> {});
            assertThatThrownBy(() -> group.execute(() -> {}))
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(names).containsExactly("mine", "mine");
            held.forEach(Held::letGo);
        }
    }

    /// Were the period waited for, this would not end before the test's time is over.
    @Test
    void anIdleGroupDoesNotPayForAQuietPeriod() {
        EventExecutorGroup group = EventExecutorGroup.create("idle", 3);
        group.shutdownGracefully(Duration.ofDays(1), Duration.ofDays(2))
                .toCompletableFuture()
                .join();
        assertThat(group.isTerminated()).isTrue();
    }

    @Test
    void theLeastLoadedIsNotOneThatATaskHoldsUp() throws InterruptedException {
        EventExecutorGroup group =
                EventExecutorGroup.builder("held", 3)
                        .chooser(ExecutorChooser.leastLoaded())
                        .build();
        EventExecutor busy = group.executors().get(1);
        Held held = Held.hold(busy);
        assertThat(busy.isBusy()).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(group.next()).isNotSameAs(busy);
        }
        held.letGo();
        group.close();
        assertThat(busy.isBusy()).isFalse();
    }

    @Test
    void whatOneOfTheGroupWaitsForIsNotItsEnd() {
        EventExecutorGroup group = EventExecutorGroup.create("waits", 2);
        Future<?> wait =
                group.submit(() -> group.shutdownGracefully().toCompletableFuture().join());
        assertThatThrownBy(wait::join).hasCauseInstanceOf(BlockingOperationException.class);
        group.close();
    }

    @Test
    void aGroupThatCannotBeMadeLeavesNoDriverOpen() throws InterruptedException {
        List<Promise<String>> closed = new ArrayList<>();
        EventExecutor told = new ManualExecutor();
        assertThatThrownBy(
                        () ->
                                EventExecutorGroup.builder("broken", 3)
                                        .executors(
                                                one -> {
                                                    if (closed.size() == 2) {
                                                        throw new IllegalStateException("no third");
                                                    }
                                                    Promise<String> end = told.newPromise();
                                                    closed.add(end);
                                                    return one.driver(new Ends(end));
                                                })
                                        .build())
                .hasMessage("no third");
        Thread.ofPlatform().start(() -> closed.forEach(Promise::join)).join();
        assertThat(closed).hasSize(2).allMatch(Future::isSuccess);
    }

    private record Ends(Promise<String> closed) implements LoopDriver {
        @Override
        public void poll(long timeoutNanos) {
            Thread.onSpinWait();
        }

        @Override
        public void wakeup() {}

        @Override
        public void close() {
            closed.setSuccess("closed");
        }
    }
}
