package io.weft.http.client;

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

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
