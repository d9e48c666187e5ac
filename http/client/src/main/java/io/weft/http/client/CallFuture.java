package io.weft.http.client;

import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.model.Request;
import java.util.concurrent.CompletableFuture;

/// The result of a call. If the application completes it first, such as by `cancel` or `orTimeout`,
/// the call is cancelled: nobody waits for it any more.
final class CallFuture<T> extends CompletableFuture<T> {
    private final Runnable onCancel;

    CallFuture(Runnable onCancel) {
        this.onCancel = onCancel;
    }

    /// Completes it as the call has ended.
    ///
    /// @return false if the application has completed it before
    boolean answered(T value) {
        return super.complete(value);
    }

    /// Completes it as the call has failed.
    void failed(Throwable cause) {
        super.completeExceptionally(cause);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return byApplication(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(T value) {
        return byApplication(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
        return byApplication(super.completeExceptionally(cause));
    }

    private boolean byApplication(boolean completed) {
        if (completed) {
            onCancel.run();
        }
        return completed;
    }

    /// Cancels a call, or returns its response if that has come meanwhile: nobody else has it.
    static <T> T unlessCancelled(CompletableFuture<T> future, Request request) throws Cancelled {
        if (!future.cancel(true) && !future.isCompletedExceptionally()) {
            return future.resultNow();
        }
        throw new Cancelled(Origin.of(request.target()), Stage.HEAD);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
