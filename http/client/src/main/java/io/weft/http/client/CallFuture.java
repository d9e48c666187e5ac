package io.weft.http.client;

import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.model.Request;
import java.util.concurrent.CompletableFuture;

/// The result of a call. Cancelling it cancels the call.
final class CallFuture<T> extends CompletableFuture<T> {
    private final Runnable onCancel;

    CallFuture(Runnable onCancel) {
        this.onCancel = onCancel;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            onCancel.run();
        }
        return cancelled;
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
