package io.weft.http.client;

import io.weft.http.model.Headers;
import io.weft.http.model.Status;

/// A listener for the interim responses to a request, such as 103 (Early Hints), which come before
/// the final one (RFC 9110, 15.2). See
/// [HttpClient#openAsync(io.weft.http.model.Request, InterimListener)].
@FunctionalInterface
public interface InterimListener {
    /// Handles an interim response, on a loop: this must not block. An exception is logged, and the
    /// request goes on.
    ///
    /// @param status 1xx, neither 100 nor 101
    void interim(Status status, Headers headers);
}
