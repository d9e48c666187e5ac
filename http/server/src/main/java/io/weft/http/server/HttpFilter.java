package io.weft.http.server;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Stands before all handlers of a server: answers requests in their place, or changes them
/// and their answers. Examples are [Cors], [Compression] and [Decompression].
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

    /// Changes a request on its way to its handler, with its body. A streamed body in place of
    /// another one is closed when the exchange is over, and closes that one.
    ///
    /// @return the request that the handler gets
    /// @throws io.weft.http.model.HttpException to answer with a problem
    default Request adapt(Request request) throws IOException {
        return request;
    }

    /// Changes an answer of a handler, of a route or of another filter. A body that it does not use
    /// is its to close. If it throws, the client gets 500.
    default Response after(Request request, Response response) {
        return response;
    }

    /// Hears of the end of an exchange, behind all other calls for its request: the answer has been
    /// handed over to the connection, or was cut off. What it throws is logged.
    ///
    /// Called once for each request that was shown to [#before] of the server's first filter, also
    /// if no handler was asked: another filter answered, the connection ended before the body was
    /// whole, or the server refused the body.
    default void finished(FinishedExchange exchange) {}
}
