package io.weft.examples.proxy;

import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.AsyncHttpHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The answer to a request that is passed on. To cancel it ends what is under way for it: a client
/// that goes costs the server behind no more work.
final class PendingAnswer extends CompletableFuture<Response> {
    /// Guarded by this.
    private @Nullable CompletableFuture<?> underWay;

    /// Returns a handler that cancels answers which nobody waits for any longer.
    static AsyncHttpHandler handler(Function<Request, CompletableFuture<Response>> answers) {
        return new AsyncHttpHandler() {
            @Override
            public CompletionStage<Response> handle(Request request) {
                return answers.apply(request);
            }

            @Override
            public void abandoned(CompletionStage<Response> answer) {
                var _ = answer.toCompletableFuture().cancel(true);
            }
        };
    }

    /// Cancels `call` with this answer, and the one before no longer.
    void during(CompletableFuture<?> call) {
        synchronized (this) {
            underWay = call;
        }
        if (isCancelled()) {
            var _ = call.cancel(true);
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        CompletableFuture<?> call;
        synchronized (this) {
            call = underWay;
        }
        if (cancelled && call != null) {
            var _ = call.cancel(true);
        }
        return cancelled;
    }

    /// Completes with `response`, whose body is closed if nobody waits for it.
    void answer(Response response) {
        if (!complete(response) && response.body() instanceof Body.Stream stream) {
            stream.source().close();
        }
    }
}
