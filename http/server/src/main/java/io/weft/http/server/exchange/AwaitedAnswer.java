package io.weft.http.server.exchange;

import io.weft.http.model.Response;
import io.weft.http.server.AsyncHttpHandler;
import java.util.concurrent.CompletionStage;

/// An answer that an asynchronous handler is to give later.
record AwaitedAnswer(AsyncHttpHandler handler, CompletionStage<Response> answer) {
    /// Tells the handler that nobody waits any more. If it throws, that is logged.
    void abandon() {
        try {
            handler.abandoned(answer);
        } catch (Throwable t) {
            System.getLogger("io.weft.http.server")
                    .log(System.Logger.Level.WARNING, "a handler failed to give its answer up", t);
        }
    }
}
