package io.weft.http.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The application that answers the requests of a server.
sealed interface Application {
    /// Answers on the loop, at once.
    record Direct(HttpHandler handler) implements Application {}

    /// Answers when its stage completes.
    record Async(AsyncHttpHandler handler) implements Application {}

    /// A handler that may block, on threads that may.
    static Application blocking(HttpHandler handler, Executor threads) {
        return new Async(
                request -> {
                    CompletableFuture<io.weft.http.model.Response> answer =
                            new CompletableFuture<>();
                    threads.execute(
                            () -> {
                                try {
                                    answer.complete(handler.handle(request));
                                } catch (Throwable t) {
                                    answer.completeExceptionally(t);
                                }
                            });
                    return answer;
                });
    }
}
