package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts the input into frames that say how long they are. Nothing is reserved for a declared
/// length.
///
/// The length of a frame, from its first byte to its last, is
/// `offset + bytes + value + adjustment`; a limit is on that.
public final class LengthFieldDecoder extends StepDecoder<Buffer> {
    private static final int UNKNOWN = -1;

    private final LengthField field;
    private final int maxFrameLength;
    private final TooLong tooLong;

    /// Of the frame at the read offset.
    private int frameLength = UNKNOWN;

    /// Bytes of a frame that is too long, which are still to come.
    private long discard;

    /// Fails on frames longer than `maxFrameLength` bytes.
    public LengthFieldDecoder(LengthField field, int maxFrameLength) {
        this(field, maxFrameLength, TooLong.fail());
    }

    /// @throws IllegalArgumentException when no frame fits
    public LengthFieldDecoder(LengthField field, int maxFrameLength, TooLong tooLong) {
        if (maxFrameLength < field.end() || maxFrameLength < field.strip()) {
            throw new IllegalArgumentException(
                    "maxFrameLength: "
                            + maxFrameLength
                            + " (expected: at least "
                            + Math.max(field.end(), field.strip())
                            + ")");
        }
        this.field = field;
        this.maxFrameLength = maxFrameLength;
        this.tooLong = tooLong;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (discard > 0) {
            int length = (int) Math.min(discard, in.readableBytes());
            in.skipReadable(length);
            discard -= length;
            return length > 0;
        }
        if (frameLength == UNKNOWN) {
            if (in.readableBytes() < field.end()) {
                return false;
            }
            long length = length(in);
            if (length > maxFrameLength) {
                tooLong.found("frame bytes", length, maxFrameLength);
                discard = length;
                return true;
            }
            frameLength = (int) length;
        }
        int length = frameLength;
        if (in.readableBytes() < length) {
            return false;
        }
        frameLength = UNKNOWN;
        in.skipReadable(field.strip());
        out.accept(in.split(length - field.strip()));
        return true;
    }

    /// Of the whole frame; [Long#MAX_VALUE] when it is more than that.
    private long length(Buffer in) {
        long value = field.get(in, in.readOffset() + field.offset());
        if (value < 0 || value > Long.MAX_VALUE / 2) {
            return Long.MAX_VALUE; // with or without an adjustment of 32 bits
        }
        long length = value + field.adjustment() + field.end();
        int least = Math.max(field.end(), field.strip());
        if (length < least) {
            throw new CorruptedFrameException(
                    "frame bytes: " + length + " (expected: at least " + least + ")");
        }
        return length;
    }

    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (discard > 0) {
            throw new PrematureEndException("a frame that is being discarded");
        }
        super.finish(unread, out);
    }
}
