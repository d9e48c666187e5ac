package io.weft.codec.socks;

import io.weft.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/// Bytes that break the protocol or a limit. A server sends [#reply()], if there is one, and
/// closes.
public final class SocksException extends DecoderException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // not serialized by anybody
    private final @Nullable SocksServerMessage reply;

    SocksException(String message, @Nullable SocksServerMessage reply) {
        super(message);
        this.reply = reply;
    }

    /// The answer that a server gives; null on a client, and where there is none.
    public @Nullable SocksServerMessage reply() {
        return reply;
    }
}
