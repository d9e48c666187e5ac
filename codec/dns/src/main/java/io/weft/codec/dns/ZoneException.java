package io.weft.codec.dns;

import io.weft.codec.DecoderException;

/// A master file that breaks its syntax or a limit.
public final class ZoneException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final long line;

    ZoneException(long line, String message) {
        super("line " + line + ": " + message);
        this.line = line;
    }

    /// Returns the line where the entry begins; the first line is 1.
    public long line() {
        return line;
    }
}
