package io.weft.resolver.names.search;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver.Answers;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/// A caller that waits for a search which it shares with others: what the search tells gets to it
/// in order, on its own executor.
final class Waiter {
    final EventExecutor executor;
    final Promise<Void> promise;
    private final Answers answers;

    /// Put in under the lock of the search, taken out on the executor.
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    private boolean running; // on the executor

    Waiter(EventExecutor executor, Answers answers) {
        this.executor = executor;
        this.promise = executor.newPromise();
        this.answers = answers;
    }

    /// Adds an event; [#run] has it happen.
    void add(Consumer<Answers> event) {
        steps.add(() -> event.accept(answers));
    }

    /// Adds the end.
    void addEnd(Future<Void> outcome) {
        steps.add(
                () -> {
                    if (outcome.isSuccess()) {
                        promise.trySuccess(null);
                    } else {
                        promise.tryFailure(
                                Objects.requireNonNullElseGet(
                                        outcome.cause(), CancellationException::new));
                    }
                });
    }

    /// Has what was added happen. Not under a lock: it calls out.
    void run() {
        if (steps.isEmpty()) {
            return;
        }
        if (executor.inLoop()) {
            drain();
            return;
        }
        try {
            executor.executeUnbounded(this::drain);
        } catch (RejectedExecutionException e) {
            steps.clear();
            promise.tryFailure(e);
        }
    }

    private void drain() {
        if (running) {
            return; // the call that is under way goes on with it
        }
        running = true;
        try {
            for (Runnable step; (step = steps.poll()) != null; ) {
                if (promise.isDone()) {
                    steps.clear();
                    return;
                }
                step.run();
            }
        } catch (Throwable t) {
            promise.tryFailure(t); // the other waiters have nothing to do with it
        } finally {
            running = false;
        }
    }
}
