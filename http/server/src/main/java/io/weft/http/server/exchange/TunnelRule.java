package io.weft.http.server.exchange;

import io.weft.http.model.Body;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Upgrade;
import org.jspecify.annotations.Nullable;

/// The answers that may begin a tunnel.
///
/// Behind 101, and behind 2xx to CONNECT, the connection no longer carries HTTP (RFC 9110, 7.8 and
/// 9.3.6). Requests must not be decoded out of a tunnel: its bytes may be those of another client
/// of the gateway that asked.
final class TunnelRule {
    private TunnelRule() {}

    /// Returns the status to send in the place of an answer that begins a tunnel and has no
    /// [Upgrade], or the other way round; null if `response` may be sent.
    ///
    /// @param extended whether the request is an extended CONNECT, whatever method the handler saw;
    ///     success begins its tunnel (RFC 8441, 4)
    static @Nullable Status refusal(Method method, boolean extended, Response response) {
        Status status = response.status();
        boolean success = status.code() >= 200 && status.code() < 300;
        boolean connected = success && (extended || method == Method.CONNECT);
        boolean begins = connected || status == Status.SWITCHING_PROTOCOLS;
        Body body = response.body();
        if (begins ? body instanceof Upgrade : !(body instanceof Body.Tunnel)) {
            return null;
        }
        return connected ? Status.NOT_IMPLEMENTED : Status.INTERNAL_SERVER_ERROR;
    }

    static String complaint(Response response, Status refusal) {
        return response.status()
                + " (expected: an Upgrade as the body of 101, and of 2xx to CONNECT, and of nothing"
                + " else); the client gets "
                + refusal;
    }
}
