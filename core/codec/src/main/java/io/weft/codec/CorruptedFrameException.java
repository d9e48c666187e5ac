package io.weft.codec;

/// Bytes that no peer following the protocol sends.
public final class CorruptedFrameException extends DecoderException {
    private static final long serialVersionUID = 1L;

    public CorruptedFrameException(String message) {
        super(message);
    }
}
