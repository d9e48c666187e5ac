package io.weft.http.server;

import io.weft.http.model.Request;
import io.weft.http.model.Response;

/// Answers requests at once.
///
/// It is called on an event loop and must not block; for handlers that do, there is
/// [HttpServer.Builder#blocking]. What it throws is logged and answered with 500, and the
/// connection closes behind that.
@FunctionalInterface
public interface HttpHandler {
    Response handle(Request request) throws Exception;
}
