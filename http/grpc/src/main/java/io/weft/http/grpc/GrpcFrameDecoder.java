package io.weft.http.grpc;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts a body into its messages. Nothing is reserved for a declared length.
public final class GrpcFrameDecoder extends StepDecoder<GrpcFrame> {
    private final int maxBytes;

    /// @param maxBytes of a message, without the five before it
    /// @throws IllegalArgumentException below 0
    public GrpcFrameDecoder(int maxBytes) {
        if (maxBytes < 0) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: >= 0)");
        }
        this.maxBytes = maxBytes;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super GrpcFrame> out) {
        if (in.readableBytes() < GrpcFrame.HEADER) {
            return false;
        }
        int at = in.readOffset();
        int flag = in.getUnsignedByte(at);
        if (flag > 1) {
            throw new CorruptedFrameException("compressed flag: " + flag + " (expected: 0 or 1)");
        }
        long length = in.getUnsignedInt(at + 1);
        if (length > maxBytes) {
            throw new LimitExceededException("message bytes", length, maxBytes);
        }
        if (in.readableBytes() < GrpcFrame.HEADER + length) {
            return false;
        }
        in.skipReadable(GrpcFrame.HEADER);
        out.accept(new GrpcFrame(flag == 1, in.split((int) length)));
        return true;
    }
}
