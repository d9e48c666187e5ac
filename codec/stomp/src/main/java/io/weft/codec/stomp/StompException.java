package io.weft.codec.stomp;

import io.weft.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/// A frame that breaks the protocol or a limit. A server sends [#reply()] and closes.
public final class StompException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final boolean ofClient;

    StompException(String message, boolean ofClient) {
        super(message);
        this.ofClient = ofClient;
    }

    /// The ERROR frame that a server answers with; null on a client, which just closes. Each call
    /// makes one.
    public @Nullable StompFrame reply() {
        return ofClient
                ? StompFrame.of(StompCommand.ERROR, "message", String.valueOf(getMessage()))
                : null;
    }
}
