package io.weft.loop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes one future of several, of a stage, or of work that blocks. But for the last, cancelling
/// what comes out does not cancel what went in.
///
/// The given executor is the one that listeners of the new future run on; the parts may have any.
public final class Futures {
    private Futures() {}

    /// Is done when all `parts` are: succeeds with their values, in their order, or fails with what
    /// the first to fail failed with; what others failed with is suppressed in it. Nothing is left
    /// under way behind its back. Succeeds at once without parts.
    public static <V> Future<List<@Nullable V>> all(
            EventExecutor executor, Collection<? extends Future<? extends V>> parts) {
        var all = List.<Future<? extends V>>copyOf(parts);
        Promise<List<@Nullable V>> promise = executor.newPromise();
        var failure = new AtomicReference<@Nullable Throwable>();
        countDown(
                all,
                part -> collect(failure, part),
                () -> {
                    Throwable cause = failure.get();
                    if (cause == null) {
                        promise.trySuccess(values(all));
                    } else {
                        promise.tryFailure(cause);
                    }
                });
        return promise;
    }

    private static <V> List<@Nullable V> values(List<Future<? extends V>> parts) {
        var values = new ArrayList<@Nullable V>(parts.size());
        for (Future<? extends V> part : parts) {
            values.add(part.now());
        }
        return Collections.unmodifiableList(values);
    }

    /// Succeeds as soon as one of `parts` does, with its value; fails when all have failed, with
    /// what the first of them failed with; what others failed with is suppressed in it. The other
    /// parts go on.
    ///
    /// @throws IllegalArgumentException without parts
    public static <V> Future<V> any(
            EventExecutor executor, Collection<? extends Future<? extends V>> parts) {
        var all = List.<Future<? extends V>>copyOf(parts);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("parts: 0 (expected: >= 1)");
        }
        Promise<V> promise = executor.newPromise();
        var failure = new AtomicReference<@Nullable Throwable>();
        countDown(
                all,
                part -> {
                    if (part.isSuccess()) {
                        promise.trySuccess(part.now());
                    } else {
                        collect(failure, part);
                    }
                },
                () -> {
                    Throwable cause = failure.get();
                    if (cause != null) {
                        promise.tryFailure(cause); // too late when one has succeeded
                    }
                });
        return promise;
    }

    private interface Told<F> {
        void done(F part);
    }

    /// Calls `told` for each part that is done, and `last` behind all of these.
    private static <F extends Future<?>> void countDown(
            List<F> parts, Told<F> told, Runnable last) {
        // One more, so that parts that are done already cannot end it before all are listened to.
        var left = new AtomicInteger(parts.size() + 1);
        for (F part : parts) {
            part.addListener(
                    _ -> {
                        told.done(part);
                        if (left.decrementAndGet() == 0) {
                            last.run();
                        }
                    });
        }
        if (left.decrementAndGet() == 0) {
            last.run();
        }
    }

    private static void collect(AtomicReference<@Nullable Throwable> failure, Future<?> part) {
        Throwable cause = part.cause();
        if (cause == null || failure.compareAndSet(null, cause)) {
            return;
        }
        Throwable first = failure.get();
        if (first != null && first != cause) {
            first.addSuppressed(cause);
        }
    }

    /// A future that ends as `stage` does.
    public static <V> Future<V> of(EventExecutor executor, CompletionStage<? extends V> stage) {
        Promise<V> promise = executor.newPromise();
        var _ =
                stage.whenComplete(
                        (value, failure) -> {
                            if (failure == null) {
                                promise.trySuccess(value);
                            } else {
                                promise.tryFailure(unwrapped(failure));
                            }
                        });
        return promise;
    }

    /// Runs `task` on a virtual thread of its own; the future completes with what it returns or
    /// throws. For work that blocks: any number of tasks may be in flight at a time, in no order.
    /// For work in order see [SerialExecutor#onVirtualThreads]. Cancelling the future interrupts
    /// the task.
    public static <V> Future<V> onVirtualThread(EventExecutor executor, Callable<V> task) {
        Objects.requireNonNull(task, "task");
        Promise<V> promise = executor.newPromise();
        Thread thread =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    try {
                                        promise.trySuccess(task.call());
                                    } catch (Throwable t) {
                                        promise.tryFailure(t);
                                    }
                                });
        promise.addListener(
                future -> {
                    if (future.isCancelled()) {
                        thread.interrupt();
                    }
                });
        thread.start();
        return promise;
    }

    /// Dependent stages fail with a wrapper around what happened.
    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
