package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FuturesTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final Promise<String> a = executor.newPromise();
    private final Promise<String> b = executor.newPromise();
    private final Exception first = new Exception("first");
    private final Exception second = new Exception("second");

    @Test
    void allSucceedsWithTheValuesInTheOrderOfTheParts() {
        Future<?> all = Futures.all(executor, List.of(a, b));
        b.setSuccess("b");
        assertThat(all.isDone()).isFalse();
        a.setSuccess(null);
        assertThat(all.now()).isEqualTo(Arrays.asList(null, "b"));
    }

    @Test
    void allOfNothingIsDone() {
        assertThat(Futures.all(executor, List.<Future<String>>of()).isSuccess()).isTrue();
    }

    @Test
    void allWaitsForTheRestWhenOneFails() {
        Future<?> all = Futures.all(executor, List.of(a, b));
        b.setFailure(first);
        assertThat(all.isDone()).isFalse();
        a.setFailure(second);
        assertThat(all.cause()).isSameAs(first).hasSuppressedException(second);
    }

    @Test
    void aFailureSharedByAllIsNotSuppressedInItself() {
        Future<?> all = Futures.all(executor, List.of(a, b));
        a.setFailure(first);
        b.setFailure(first);
        assertThat(all.cause()).isSameAs(first).hasNoSuppressedExceptions();
    }

    @Test
    void anySucceedsWithTheFirstThatDoes() {
        Future<String> any = Futures.any(executor, List.of(a, b));
        a.setFailure(first);
        assertThat(any.isDone()).isFalse();
        b.setSuccess("b");
        assertThat(any.now()).isEqualTo("b");
    }

    @Test
    void anyFailsWhenAllHave() {
        Future<String> any = Futures.any(executor, List.of(a, b));
        b.setFailure(first);
        a.setFailure(second);
        assertThat(any.cause()).isSameAs(first).hasSuppressedException(second);
        assertThatThrownBy(() -> Futures.any(executor, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cancellingWhatComesOutLeavesThePartsAlone() {
        Future<?> all = Futures.all(executor, List.of(a, b));
        assertThat(all.cancel()).isTrue();
        assertThat(a.isDone()).isFalse();
        a.setSuccess("a");
        b.cancel();
        assertThat(all.isCancelled()).isTrue();
        assertThat(Futures.all(executor, List.of(a, b)).isCancelled()).isTrue();
    }

    @Test
    void aStageBecomesAFuture() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Future<String> future = Futures.of(executor, stage);
        Future<String> dependent = Futures.of(executor, stage.thenApply(s -> s + "!"));
        stage.complete("x");
        assertThat(future.now()).isEqualTo("x");
        assertThat(dependent.now()).isEqualTo("x!");
    }

    @Test
    void aStageThatFailsOrIsCancelledDoesNotComeWrapped() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Future<String> dependent = Futures.of(executor, stage.thenApply(s -> s + "!"));
        stage.completeExceptionally(first);
        assertThat(dependent.cause()).isSameAs(first);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);
        assertThat(Futures.of(executor, cancelled).isCancelled()).isTrue();
        assertThat(Futures.of(executor, cancelled).cause())
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void partsOfManyThreadsAreCountedOnce() {
        try (EventExecutorGroup group = EventExecutorGroup.create("parts", 3)) {
            List<Future<Integer>> parts = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                int value = i;
                parts.add(group.submit(() -> value));
            }
            SingleThreadExecutor own = new SingleThreadExecutor("own");
            List<@Nullable Integer> values = Futures.all(own, parts).join();
            assertThat(values).hasSize(1000).isEqualTo(IntStream.range(0, 1000).boxed().toList());
            assertThatThrownBy(
                            () ->
                                    own.submit(
                                                    () ->
                                                            Futures.all(
                                                                            own,
                                                                            List.of(
                                                                                    own
                                                                                            .newPromise()))
                                                                    .join())
                                            .join())
                    .hasCauseInstanceOf(BlockingOperationException.class);
            own.shutdownGracefully().join();
        }
    }

    @Test
    void workThatBlocksGoesOnAtATime() {
        // Each waits for the other: they end only if both run.
        Exchanger<String> exchanger = new Exchanger<>();
        SingleThreadExecutor own = new SingleThreadExecutor("own");
        Future<String> one = Futures.onVirtualThread(own, () -> exchanger.exchange("one"));
        Future<String> two = Futures.onVirtualThread(own, () -> exchanger.exchange("two"));
        assertThat(one.join()).isEqualTo("two");
        assertThat(two.join()).isEqualTo("one");
        Promise<Boolean> told = own.newPromise();
        Futures.onVirtualThread(own, () -> Thread.currentThread().isVirtual())
                .addListener(f -> told.setSuccess(f.join() && own.inLoop()));
        assertThat(told.join()).isTrue();
        Future<?> failed =
                Futures.onVirtualThread(
                        own,
                        () -> {
                            throw first;
                        });
        assertThatThrownBy(failed::join).hasCause(first);
        own.shutdownGracefully().join();
    }

    @Test
    void cancellingInterruptsWorkThatBlocks() throws InterruptedException {
        SingleThreadExecutor own = new SingleThreadExecutor("own");
        CountDownLatch running = new CountDownLatch(1);
        Promise<Throwable> ended = own.newPromise();
        Future<Void> blocked =
                Futures.onVirtualThread(
                        own,
                        () -> {
                            running.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                ended.setSuccess(e);
                            }
                            return null;
                        });
        running.await();
        assertThat(blocked.cancel()).isTrue();
        assertThat(ended.join()).isInstanceOf(InterruptedException.class);
        assertThat(blocked.isCancelled()).isTrue();
        own.shutdownGracefully().join();
    }
}
