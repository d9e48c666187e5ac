package io.weft.http.websocket;

import io.weft.http.model.Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A server did not agree to WebSocket, or not as it should.
public final class WebSocketHandshakeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Status status;

    WebSocketHandshakeException(@Nullable Status status, String message) {
        super(message);
        this.status = status;
    }

    /// Returns the status of the server's answer; null when it was no answer of HTTP.
    public @Nullable Status status() {
        return status;
    }
}
