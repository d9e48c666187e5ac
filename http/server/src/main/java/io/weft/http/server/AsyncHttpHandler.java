package io.weft.http.server;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.util.concurrent.CompletionStage;

/// Answers requests later, from any thread. It is called on an event loop and must not block.
///
/// The next request of the same connection is handled when this one has been answered.
@FunctionalInterface
public interface AsyncHttpHandler {
    CompletionStage<Response> handle(Request request) throws Exception;

    /// The client has gone, or has given the request up: whatever `answer` brings is discarded, and
    /// the work on it may end. Called on the loop, at most once for a request.
    ///
    /// A client of HTTP/1.1 that closes its connection looks like one that has sent its last
    /// request and waits for the answer. If no answer has begun
    /// [HttpServerLimits#halfCloseTimeout] later, this is called, and the client gets 503 should it
    /// be there. Over HTTP/2, and if the connection is reset, this is called at once.
    ///
    /// @param answer as [#handle] returned it, not complete
    default void abandoned(CompletionStage<Response> answer) {}
}
