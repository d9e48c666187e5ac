package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts the input into frames of one length.
public final class FixedLengthDecoder extends StepDecoder<Buffer> {
    private final int length;

    /// @throws IllegalArgumentException unless `length` is positive
    public FixedLengthDecoder(int length) {
        if (length <= 0) {
            throw new IllegalArgumentException("length: " + length + " (expected: > 0)");
        }
        this.length = length;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (in.readableBytes() < length) {
            return false;
        }
        out.accept(in.split(length));
        return true;
    }
}
