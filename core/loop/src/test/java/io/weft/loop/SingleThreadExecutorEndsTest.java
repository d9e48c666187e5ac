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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The ends of an executor: a queue that is full, and a life that is over.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SingleThreadExecutorEndsTest {
    @Test
    void aPolicyTakesOverWhatFindsTheQueueFullButTimersAndCompletionsGoTheirOwnWay()
            throws InterruptedException {
        List<Runnable> taken = new ArrayList<>();
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("small")
                        .queueCapacity(1)
                        .rejection((task, _) -> taken.add(task))
                        .build();
        Held held = Held.hold(executor);
        List<String> ran = new ArrayList<>();
        executor.execute(() -> ran.add("queued"));
        Runnable rejected = () -> ran.add("rejected");
        executor.execute(rejected);
        assertThat(taken).containsExactly(rejected);
        assertThatThrownBy(() -> executor.schedule(() -> {}, 1, DAYS))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("task queue of SingleThreadExecutor(small): 1 tasks (expected: < 1)");
        executor.executeUnbounded(() -> ran.add("completion"));
        held.letGo();
        executor.shutdownGracefully().join();
        assertThat(ran).containsExactlyInAnyOrder("queued", "completion");
        assertThatThrownBy(() -> executor.execute(rejected))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(taken).hasSize(1);
    }

    @Test
    void aPolicyThatTriesAgainWaitsForRoomButNotInALoopNorInterrupted()
            throws InterruptedException {
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("small")
                        .queueCapacity(1)
                        .rejection(RejectionPolicy.retry(Integer.MAX_VALUE, Duration.ofNanos(1)))
                        .build();
        Held held = Held.hold(executor);
        AtomicInteger ran = new AtomicInteger();
        executor.execute(ran::incrementAndGet);
        SingleThreadExecutor other = new SingleThreadExecutor("other");
        Future<?> byALoop =
                other.submit(
                        () -> {
                            executor.execute(ran::incrementAndGet);
                            return null;
                        });
        assertThatThrownBy(byALoop::join).hasCauseInstanceOf(RejectedExecutionException.class);
        other.shutdownGracefully().join();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> executor.execute(ran::incrementAndGet))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(Thread.interrupted()).isTrue();
        Thread waits = Thread.ofPlatform().start(() -> executor.execute(ran::incrementAndGet));
        held.letGo();
        waits.join();
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue(2);
    }

    @Test
    void aPolicyThatTriesAgainGivesUpInTheEnd() throws InterruptedException {
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("small")
                        .queueCapacity(1)
                        .rejection(RejectionPolicy.retry(3, Duration.ofNanos(1)))
                        .build();
        Held held = Held.hold(executor);
        executor.execute(() -> {});
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
        held.letGo();
        executor.shutdownGracefully().join();
        assertThatThrownBy(() -> RejectionPolicy.retry(0, Duration.ofNanos(1)))
                .hasMessage("times: 0 (expected: >= 1)");
        assertThatThrownBy(() -> RejectionPolicy.retry(1, Duration.ZERO))
                .hasMessage("pause: PT0S (expected: > 0)");
    }

    @Test
    void hooksRunLastInTheirOrderWhateverTheyThrow() {
        SingleThreadExecutor executor = new SingleThreadExecutor("hooks");
        List<String> ran = new ArrayList<>();
        Runnable removed = () -> ran.add("removed");
        executor.addShutdownHook(
                () -> {
                    ran.add("first, " + executor.isTerminated() + ", " + executor.inLoop());
                    executor.addShutdownHook(() -> ran.add("added by the first"));
                });
        executor.addShutdownHook(removed);
        executor.addShutdownHook(
                () -> {
                    throw new IllegalStateException("expected in the log");
                });
        executor.addShutdownHook(() -> ran.add("last"));
        assertThat(executor.removeShutdownHook(removed)).isTrue();
        assertThat(executor.removeShutdownHook(removed)).isFalse();
        executor.execute(() -> executor.execute(() -> ran.add("task")));
        executor.shutdownGracefully().join();
        assertThat(ran).containsExactly("task", "first, false, true", "last", "added by the first");
        assertThatThrownBy(() -> executor.addShutdownHook(removed))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("shutdown hooks: run (expected: executor alive)");
    }

    @Test
    void hooksOfAnExecutorThatWasNeverUsedRunToo() {
        SingleThreadExecutor executor = new SingleThreadExecutor("unused");
        AtomicReference<String> ran = new AtomicReference<>();
        executor.addShutdownHook(() -> ran.set(Thread.currentThread().getName()));
        executor.shutdownGracefully().join();
        assertThat(ran).hasValue("unused");
    }

    @Test
    void theStateGoesForwardOnly() {
        SingleThreadExecutor executor = new SingleThreadExecutor("states");
        assertThat(executor.state()).isEqualTo(ExecutorState.NOT_STARTED);
        assertThat(executor.submit(executor::state).join()).isEqualTo(ExecutorState.RUNNING);
        AtomicReference<ExecutorState> inHook = new AtomicReference<>();
        executor.addShutdownHook(() -> inHook.set(executor.state()));
        executor.shutdownGracefully().join();
        assertThat(inHook).hasValue(ExecutorState.SHUTTING_DOWN);
        assertThat(executor.state()).isEqualTo(ExecutorState.TERMINATED);
    }

    @Test
    void anInterruptIsForTheTaskThatRunsAndForNoOther() throws InterruptedException {
        SingleThreadExecutor executor = new SingleThreadExecutor("interrupted");
        executor.interrupt(); // has no thread yet
        CountDownLatch running = new CountDownLatch(1);
        Future<String> blocked =
                executor.submit(
                        () -> {
                            running.countDown();
                            new CountDownLatch(1).await();
                            return "never";
                        });
        executor.execute(() -> Thread.currentThread().interrupt());
        Future<Boolean> next = executor.submit(() -> Thread.currentThread().isInterrupted());
        Promise<Boolean> timer = executor.newPromise();
        executor.execute(
                () -> {
                    executor.schedule(
                            () -> timer.setSuccess(Thread.currentThread().isInterrupted()),
                            0,
                            DAYS);
                    Thread.currentThread().interrupt();
                });
        running.await();
        executor.interrupt();
        assertThatThrownBy(blocked::join).hasCauseInstanceOf(InterruptedException.class);
        assertThat(next.join()).isFalse();
        assertThat(timer.join()).isFalse();
        for (int i = 0; i < 100; i++) {
            executor.interrupt(); // while it waits, or nearly
        }
        assertThat(executor.submit(() -> "goes on").join()).isEqualTo("goes on");
        executor.shutdownGracefully().join();
        executor.interrupt();
    }

    @Test
    void aTaskThatNeverEndsHoldsTheEndUpUntilItIsInterrupted() throws InterruptedException {
        SingleThreadExecutor executor = new SingleThreadExecutor("held");
        CountDownLatch running = new CountDownLatch(1);
        executor.submit(
                () -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return null;
                });
        running.await();
        Future<String> behind = executor.submit(() -> "ran");
        Future<Void> end = executor.shutdownGracefully(Duration.ZERO, Duration.ZERO);
        assertThat(end.await(1, MILLISECONDS)).isFalse();
        executor.interrupt();
        end.join();
        assertThat(behind.now()).isEqualTo("ran");
    }

    @Test
    void aHookThatHandsOverIsRefusedAndTheNextRuns() {
        SingleThreadExecutor executor = new SingleThreadExecutor("hooks");
        List<String> ran = new ArrayList<>();
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> ran.add("listener"));
        List<Runnable> ways =
                List.of(
                        () -> executor.execute(() -> ran.add("task")),
                        () -> executor.executeUnbounded(() -> ran.add("completion")),
                        () -> executor.schedule(() -> ran.add("timer"), 0, DAYS),
                        () -> executor.submit(() -> ran.add("submitted")));
        for (Runnable way : ways) {
            executor.addShutdownHook(
                    () -> {
                        try {
                            way.run();
                        } catch (RejectedExecutionException e) {
                            ran.add("refused");
                            throw e;
                        }
                    });
        }
        executor.addShutdownHook(() -> promise.setSuccess("x"));
        executor.shutdownGracefully().join();
        assertThat(ran).containsExactly("refused", "refused", "refused", "refused", "listener");
    }
}
