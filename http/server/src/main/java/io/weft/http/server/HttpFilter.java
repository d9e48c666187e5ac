package io.weft.http.server;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import org.jspecify.annotations.Nullable;

/// Stands before all handlers of a server: answers requests in their place, or changes their
/// answers. Examples are [Cors] and [Compression].
///
/// Thread: an event loop; it must not block.
public interface HttpFilter {
    /// Looks at the head of a request before its handler is chosen.
    ///
    /// @param request without its body
    /// @return the answer; null to go on
    /// @throws io.weft.http.model.HttpException to answer with a problem
    default @Nullable Response before(Request request) {
        return null;
    }

    /// Changes an answer of a handler, of a route or of another filter. A body that it does not use
    /// is its to close. If it throws, the client gets 500.
    default Response after(Request request, Response response) {
        return response;
    }
}
