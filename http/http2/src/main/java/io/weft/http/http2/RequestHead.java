package io.weft.http.http2;

import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import org.jspecify.annotations.Nullable;

/// The head of a request (RFC 9113, 8.3.1): its pseudo-header fields as typed values, and the
/// others. The field `host` of `headers` stands for `:authority`, in both directions.
///
/// @param scheme `http` or `https`, or another one; empty for CONNECT without `protocol`
/// @param target in origin form, `*`, or in authority form for CONNECT without `protocol`
/// @param protocol of an extended CONNECT (RFC 8441), such as `websocket`; null for other requests
/// @param contentLength as the field says; -1 without one
public record RequestHead(
        Method method,
        String scheme,
        RequestTarget target,
        @Nullable String protocol,
        Headers headers,
        long contentLength) {
    /// Without headers, which may be secrets.
    @Override
    public String toString() {
        return method + " " + scheme + " " + target + (protocol == null ? "" : " " + protocol);
    }
}
