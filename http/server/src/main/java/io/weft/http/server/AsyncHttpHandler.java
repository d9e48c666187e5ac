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
}
