package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PromiseTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final List<String> seen = new ArrayList<>();

    private static void inAnotherThread(Runnable task) throws InterruptedException {
        Thread.ofPlatform().start(task).join();
    }

    @Test
    void theFirstCompletionCounts() {
        Promise<String> promise = executor.newPromise();
        assertThat(promise.isDone()).isFalse();
        assertThat(promise.now()).isNull();
        assertThat(promise.trySuccess("a")).isTrue();
        assertThat(promise.trySuccess("b")).isFalse();
        assertThat(promise.tryFailure(new Exception())).isFalse();
        assertThat(promise.cancel()).isFalse();
        assertThat(promise.isSuccess()).isTrue();
        assertThat(promise.now()).isEqualTo("a");
        assertThat(promise.join()).isEqualTo("a");
        assertThat(promise.cause()).isNull();
        assertThatThrownBy(() -> promise.setSuccess("c"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("promise: Promise(succeeded) (expected: pending)");
    }

    @Test
    void nullIsAValue() {
        Promise<Void> promise = executor.newPromise();
        promise.setSuccess(null);
        assertThat(promise.isSuccess()).isTrue();
        assertThat(promise.now()).isNull();
        assertThat(promise.join()).isNull();
        assertThat(Promise.succeeded(executor, null).isSuccess()).isTrue();
    }

    @Test
    void aFailureKeepsItsCause() {
        Exception cause = new Exception("x");
        Promise<String> promise = executor.newPromise();
        promise.setFailure(cause);
        assertThat(promise.isSuccess()).isFalse();
        assertThat(promise.isCancelled()).isFalse();
        assertThat(promise.cause()).isSameAs(cause);
        assertThat(Promise.failed(executor, cause).cause()).isSameAs(cause);
        assertThatThrownBy(promise::join).isInstanceOf(CompletionException.class).hasCause(cause);
        assertThatThrownBy(() -> promise.setFailure(new Error("y")))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void cancellingCompletesUntilItIsRuledOut() {
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> seen.add("cancelled " + f.isCancelled()));
        assertThat(promise.cancel()).isTrue();
        assertThat(seen).containsExactly("cancelled true");
        assertThat(promise.setUncancellable()).isFalse();
        assertThat(promise.cause()).isInstanceOf(CancellationException.class);
        assertThatThrownBy(promise::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void anUncancellablePromiseStaysSoWhateverListensAndWaits() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> seen.add("one"));
        assertThat(promise.setUncancellable()).isTrue();
        assertThat(promise.setUncancellable()).isTrue();
        promise.addListener(f -> seen.add("two"));
        inAnotherThread(
                () -> {
                    try {
                        assertThat(promise.await(1, TimeUnit.NANOSECONDS)).isFalse();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(promise.cancel()).isFalse();
        promise.setSuccess("x");
        assertThat(seen).containsExactly("one", "two");
        assertThat(promise.setUncancellable()).isTrue();
    }

    @Test
    void listenersRunInTheOrderInWhichTheyWereAddedThoughOneThrows() {
        Promise<Integer> promise = executor.newPromise();
        for (int i = 0; i < 100; i++) {
            int me = i;
            promise.addListener(f -> seen.add(me + "=" + f.now()));
            promise.addListener(
                    _ -> {
                        if (me == 50) {
                            throw new IllegalStateException("expected in the log");
                        }
                    });
        }
        promise.setSuccess(7);
        assertThat(seen).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(seen.get(i)).isEqualTo(i + "=7");
        }
    }

    @Test
    void completedElsewhereListenersRunOnTheLoop() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        AtomicReference<Thread> by = new AtomicReference<>();
        promise.addListener(f -> by.set(Thread.currentThread()));
        inAnotherThread(() -> promise.setSuccess("x"));
        assertThat(by).hasNullValue();
        executor.runPending();
        assertThat(by).hasValue(Thread.currentThread());
    }

    @Test
    void aLateListenerRunsAtOnceInTheLoopAndElsewhereByTheQueue() throws InterruptedException {
        Promise<String> promise = Promise.succeeded(executor, "x");
        promise.addListener(f -> seen.add("in loop"));
        assertThat(seen).containsExactly("in loop");
        inAnotherThread(() -> promise.addListener(f -> seen.add("elsewhere")));
        assertThat(seen).containsExactly("in loop");
        executor.runPending();
        assertThat(seen).containsExactly("in loop", "elsewhere");
    }

    @Test
    void listenersAreToldThoughTheTaskQueueIsFull() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> seen.add("told"));
        for (int i = 0; i < 65_536; i++) {
            executor.execute(() -> {});
        }
        inAnotherThread(() -> promise.setSuccess("x"));
        assertThat(seen).isEmpty();
        executor.runPending();
        assertThat(seen).containsExactly("told");
    }

    @Test
    void listenersAreToldThoughTheExecutorHasEnded() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> seen.add("told"));
        executor.shutdownGracefully();
        executor.runPending();
        inAnotherThread(() -> promise.setSuccess("x"));
        assertThat(seen).containsExactly("told");
    }

    @Test
    void aLongChainOfPromisesDoesNotOverflowTheStack() {
        int length = 100_000;
        Promise<Integer> first = executor.newPromise();
        Promise<Integer> last = first;
        for (int i = 0; i < length; i++) {
            Promise<Integer> next = executor.newPromise();
            last.addListener(f -> next.setSuccess(f.join() + 1));
            last = next;
        }
        first.setSuccess(0);
        executor.runPending();
        assertThat(last.join()).isEqualTo(length);
    }

    @Test
    void norDoesOneWhoseExecutorHasEnded() throws InterruptedException {
        executor.shutdownGracefully();
        executor.runPending();
        int length = 100_000;
        Promise<Integer> first = executor.newPromise();
        Promise<Integer> last = first;
        for (int i = 0; i < length; i++) {
            Promise<Integer> next = executor.newPromise();
            last.addListener(f -> next.setSuccess(f.join() + 1));
            last = next;
        }
        inAnotherThread(() -> first.setSuccess(0));
        assertThat(last.now()).isEqualTo(length);
    }

    @Test
    void norDoesAListenerThatAddsAListenerThatAddsAnother() throws InterruptedException {
        Promise<Integer> promise = Promise.succeeded(executor, 1);
        class Adds implements Consumer<Future<Integer>> {
            private int left = 100_000;

            @Override
            public void accept(Future<Integer> future) {
                if (--left > 0) {
                    future.addListener(this);
                }
            }
        }

        Adds inLoop = new Adds();
        promise.addListener(inLoop);
        executor.runPending();
        assertThat(inLoop.left).isZero();
        executor.shutdownGracefully();
        executor.runPending();
        for (Adds ended : new Adds[] {new Adds(), new Adds()}) {
            inAnotherThread(() -> promise.addListener(ended));
            assertThat(ended.left).isZero();
        }
        Adds inEndedLoop = new Adds();
        promise.addListener(inEndedLoop);
        assertThat(inEndedLoop.left).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // the subject
    void aCauseAndAListenerAreNeverNull() {
        Promise<Integer> promise = executor.newPromise();
        assertThatThrownBy(() -> promise.tryFailure(null)).hasMessage("cause");
        assertThatThrownBy(() -> promise.setFailure(null)).hasMessage("cause");
        assertThatThrownBy(() -> Promise.failed(executor, null)).hasMessage("cause");
        assertThatThrownBy(() -> promise.addListener(null)).hasMessage("listener");
        assertThat(promise.isDone()).isFalse();
    }

    @Test
    void waitingInTheLoopIsRefused() {
        Promise<String> promise = executor.newPromise();
        assertThatThrownBy(promise::join)
                .isInstanceOf(BlockingOperationException.class)
                .hasMessageContaining("expected: another thread");
        assertThatThrownBy(() -> promise.await(1, TimeUnit.SECONDS))
                .isInstanceOf(BlockingOperationException.class);
        promise.setSuccess("x");
        assertThat(promise.join()).isEqualTo("x");
    }

    @Test
    void virtualThreadsJoin() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        AtomicInteger joined = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                begun.countDown();
                                if ("x".equals(promise.join())) {
                                    joined.incrementAndGet();
                                }
                            }));
        }
        begun.await();
        promise.setSuccess("x");
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(joined).hasValue(100);
    }

    @Test
    void anInterruptEndsAwaitButNotJoin() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        AtomicReference<String> outcome = new AtomicReference<>();
        Thread joiner =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    Thread.currentThread().interrupt();
                                    String value = promise.join();
                                    outcome.set(value + " " + Thread.interrupted());
                                });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        inAnotherThread(
                () -> {
                    Thread.currentThread().interrupt();
                    try {
                        promise.await(1, TimeUnit.DAYS);
                    } catch (InterruptedException e) {
                        thrown.set(e);
                    }
                });
        promise.setSuccess("x");
        joiner.join();
        assertThat(outcome).hasValue("x true");
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void manyShortWaitsLeaveTheListenersAlone() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.addListener(f -> seen.add("one"));
        inAnotherThread(
                () -> {
                    try {
                        for (int i = 0; i < 1000; i++) {
                            promise.await(0, TimeUnit.SECONDS);
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        promise.addListener(f -> seen.add("two"));
        promise.setSuccess("x");
        assertThat(seen).containsExactly("one", "two");
    }

    @Test
    void racingCompletionsAndListenersTellEachListenerOnce() throws InterruptedException {
        for (int round = 0; round < 2_000; round++) {
            Promise<Integer> promise = executor.newPromise();
            AtomicInteger told = new AtomicInteger();
            AtomicInteger won = new AtomicInteger();
            Thread one = Thread.startVirtualThread(() -> count(won, promise.trySuccess(1)));
            Thread two = Thread.startVirtualThread(() -> count(won, promise.cancel()));
            for (int i = 0; i < 5; i++) {
                promise.addListener(f -> told.incrementAndGet());
            }
            one.join();
            two.join();
            executor.runPending();
            assertThat(won).hasValue(1);
            assertThat(told).hasValue(5);
        }
    }

    private static void count(AtomicInteger counter, boolean yes) {
        if (yes) {
            counter.incrementAndGet();
        }
    }

    @Test
    void bridgesToACompletionStage() {
        Promise<String> promise = executor.newPromise();
        promise.toCompletionStage().thenAccept(seen::add);
        promise.setSuccess("x");
        Promise<String> failed = Promise.failed(executor, new Exception("y"));
        failed.toCompletionStage().exceptionally(t -> String.valueOf(seen.add(t.getMessage())));
        assertThat(seen).containsExactly("x", "y");
    }

    @Test
    void aLoopDoesNotWaitForItsOwnStagesEither() throws InterruptedException {
        Promise<Integer> promise = executor.newPromise();
        var stage = promise.toCompletionStage().toCompletableFuture();
        var dependent = stage.thenApply(i -> i + 1).thenCombine(stage, Integer::sum);
        for (var mine : List.of(stage, dependent)) {
            assertThatThrownBy(mine::join).isInstanceOf(BlockingOperationException.class);
            assertThatThrownBy(mine::get).isInstanceOf(BlockingOperationException.class);
            assertThatThrownBy(() -> mine.get(1, TimeUnit.DAYS))
                    .isInstanceOf(BlockingOperationException.class);
        }
        AtomicInteger joined = new AtomicInteger();
        Thread other = Thread.ofPlatform().start(() -> joined.set(dependent.join()));
        promise.setSuccess(1);
        other.join();
        assertThat(joined).hasValue(3);
        assertThat(dependent.join()).isEqualTo(3);
    }

    @Test
    void waitsThatAreGivenUpLeaveNothingBehind() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.addListener(future -> seen.add("bottom"));
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(awaitElsewhere(promise));
            promise.addListener(future -> seen.add("above"));
        }
        assertThat(promise.waiting()).isEqualTo(7);
        // From the bottom of the stack to its top.
        for (Thread thread : waiting) {
            thread.interrupt();
            thread.join();
        }
        assertThat(promise.waiting()).isEqualTo(4);
        promise.setSuccess("x");
        assertThat(seen).containsExactly("bottom", "above", "above", "above");
    }

    @Test
    void aWaitGivenUpOnTopKeepsThePromiseUncancellable() throws InterruptedException {
        Promise<String> promise = executor.newPromise();
        promise.setUncancellable();
        Thread waiting = awaitElsewhere(promise);
        waiting.interrupt();
        waiting.join();
        assertThat(promise.waiting()).isEqualTo(1);
        assertThat(promise.cancel()).isFalse();
    }

    /// A thread that waits for `promise`, and is on its stack.
    private static Thread awaitElsewhere(Promise<?> promise) {
        int before = promise.waiting();
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        promise.await(1, TimeUnit.DAYS);
                                    } catch (InterruptedException e) {
                                        // gives up
                                    }
                                });
        while (promise.waiting() == before) {
            Thread.onSpinWait();
        }
        return thread;
    }
}
