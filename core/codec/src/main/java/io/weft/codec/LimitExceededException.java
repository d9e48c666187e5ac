package io.weft.codec;

/// More than a limit allows was sent, or declared by the peer: bytes of a frame, levels of nesting,
/// a ratio of compression, or another quantity that the message names.
public final class LimitExceededException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final long limit;

    /// @param what quantity is limited, for the message
    /// @param length its amount, as far as it is known
    public LimitExceededException(String what, long length, long limit) {
        super(what + ": " + length + " (expected: at most " + limit + ")");
        this.limit = limit;
    }

    /// Returns the most that is allowed.
    public long limit() {
        return limit;
    }
}
