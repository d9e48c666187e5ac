package io.weft.http.server;

import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import org.jspecify.annotations.Nullable;

/// Makes requests of heads. The same head again, without a body, makes the same request: clients
/// that keep a connection busy mostly ask the same.
final class Http1Requests {
    private @Nullable RequestHead lastHead;
    private @Nullable Request last;

    /// @param streamed empty for a body that the exchange has collected
    Request of(RequestHead head, Exchange exchange, Body streamed) {
        if (head.framing() != Framing.NONE) {
            return make(head, streamed instanceof Body.Stream ? streamed : exchange.takeBody());
        }
        if (head != lastHead || last == null) {
            lastHead = head;
            last = make(head, Body.empty());
        }
        return last;
    }

    private static Request make(RequestHead head, Body body) {
        return Request.of(head.method(), head.target(), head.version(), head.headers(), body);
    }

    /// Keeps nothing, until there is another request.
    void forget() {
        last = null;
        lastHead = null;
    }
}
