package io.weft.http.client;

import io.weft.http.model.Headers;
import io.weft.http.model.Status;

/// A listener for the interim responses to a request, such as 103 (Early Hints), which come before
/// the final one (RFC 9110, 15.2). See
/// [HttpClient#openAsync(io.weft.http.model.Request, InterimListener)].
///
/// Over either version of HTTP the request fails if there are more than 32 of them, or if one
/// claims a body: a Content-Length other than 0, or over HTTP/1.1 a Transfer-Encoding. A server
/// must not send these (RFC 9110, 8.6), and recipients that believe them take the final response
/// for a body.
@FunctionalInterface
public interface InterimListener {
    /// Handles an interim response, on a loop: this must not block. An exception is logged, and the
    /// request goes on.
    ///
    /// @param status 1xx, neither 100 nor 101
    void interim(Status status, Headers headers);
}
