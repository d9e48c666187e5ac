package io.weft.codec;

/// The peer's input ended in the middle of a message.
public final class PrematureEndException extends DecoderException {
    private static final long serialVersionUID = 1L;

    /// @param where the input ended, for the message
    public PrematureEndException(String where) {
        super("end of input in " + where + " (expected: a whole message)");
    }
}
