package io.weft.codec.haproxy;

import io.weft.codec.DecoderException;

/// A header that breaks the protocol or a limit. There is no answer to it: the connection ends.
public final class HaproxyException extends DecoderException {
    private static final long serialVersionUID = 1L;

    HaproxyException(String message) {
        super(message);
    }
}
