package io.weft.codec;

/// The peer sent, or declared that it would send, more than a limit allows.
public final class FrameTooLongException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final long limit;

    /// @param what that is too long, for the message
    /// @param length as far as it is known
    public FrameTooLongException(String what, long length, long limit) {
        super(what + ": " + length + " (expected: at most " + limit + ")");
        this.limit = limit;
    }

    public long limit() {
        return limit;
    }
}
