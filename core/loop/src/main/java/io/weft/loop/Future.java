package io.weft.loop;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The result of an operation that may not have ended yet. Any thread may call any method.
public sealed interface Future<V> permits Promise {
    /// The executor that listeners run on.
    EventExecutor executor();

    /// True when the operation has succeeded, failed or been cancelled.
    boolean isDone();

    boolean isSuccess();

    boolean isCancelled();

    /// Why the operation failed, a [CancellationException] when it was cancelled; null when it
    /// succeeded or goes on.
    @Nullable Throwable cause();

    /// The value when the operation has succeeded, else null.
    @Nullable V now();

    /// Calls `listener` once when the operation is done, [on the loop][#executor]: at once when it
    /// is done already and the caller is in the loop. Listeners added before the end are called in
    /// the order in which they were added. What one throws is logged and does not touch the others.
    /// When the executor has terminated they are called by the thread that completes or adds; those
    /// that a listener sets off there, after it.
    ///
    /// However many listeners complete futures with listeners that complete others, the stack does
    /// not overflow.
    Future<V> addListener(Consumer<? super Future<V>> listener);

    /// Completes this future with a [CancellationException].
    ///
    /// @return false when it is done or its owner has ruled that out
    boolean cancel();

    /// Waits for the end and returns the value: null only if null is what the operation yields, as
    /// for `Void`. An interrupt does not end the wait; the thread's flag is set when this returns.
    ///
    /// @throws CompletionException with the cause when the operation failed
    /// @throws CancellationException when it was cancelled
    /// @throws BlockingOperationException when called before the end in the loop, or by the thread
    ///     that [drives][EventExecutor#isDriver] it
    V join();

    /// Waits for the end, at most for `timeout`.
    ///
    /// @return whether the operation is done
    /// @throws BlockingOperationException when called before the end in the loop, or by the thread
    ///     that [drives][EventExecutor#isDriver] it
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    /// A stage that completes as this does. Its dependent actions run on the loop unless they are
    /// `Async`, those of a stage that is complete on the thread that adds them. Cancelling it does
    /// not cancel the operation. If the loop, or the thread that drives it, waits for it, or for
    /// what depends on it, by `join` or `get`, a [BlockingOperationException] is thrown.
    CompletionStage<V> toCompletionStage();
}
