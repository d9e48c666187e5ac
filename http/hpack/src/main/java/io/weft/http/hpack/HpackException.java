package io.weft.http.hpack;

import io.weft.codec.DecoderException;

/// A header block that breaks RFC 7541. The tables of both ends differ from then on, so it ends the
/// connection: COMPRESSION_ERROR (RFC 9113, 4.3).
public final class HpackException extends DecoderException {
    private static final long serialVersionUID = 1L;

    HpackException(String message) {
        super(message);
    }
}
