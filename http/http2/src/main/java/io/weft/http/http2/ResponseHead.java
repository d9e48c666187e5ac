package io.weft.http.http2;

import io.weft.http.model.Headers;
import io.weft.http.model.Status;

/// The head of a response (RFC 9113, 8.3.2), interim or final.
///
/// @param contentLength as the field says; -1 without one
public record ResponseHead(Status status, Headers headers, long contentLength) {}
