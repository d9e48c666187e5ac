package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts the input into frames that begin with their length as an unsigned LEB128 number of at most
/// 32 bits, as protobuf streams have it. The number is cut off.
public final class VarintDecoder extends StepDecoder<Buffer> {
    private static final int MAX_BYTES = 5;
    private static final int UNKNOWN = -1;

    private final int maxLength;
    private final TooLong tooLong;
    private int length = UNKNOWN;
    private long discard;

    /// Fails on frames longer than `maxLength` bytes.
    public VarintDecoder(int maxLength) {
        this(maxLength, TooLong.fail());
    }

    /// @param maxLength bytes of a frame without its number
    public VarintDecoder(int maxLength, TooLong tooLong) {
        if (maxLength < 0) {
            throw new IllegalArgumentException("maxLength: " + maxLength + " (expected: >= 0)");
        }
        this.maxLength = maxLength;
        this.tooLong = tooLong;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (discard > 0) {
            int n = (int) Math.min(discard, in.readableBytes());
            in.skipReadable(n);
            discard -= n;
            return n > 0;
        }
        if (length == UNKNOWN) {
            long value = number(in);
            if (value < 0) {
                return false;
            }
            if (value > maxLength) {
                tooLong.found("frame bytes", value, maxLength);
                discard = value;
                return true;
            }
            length = (int) value;
        }
        int n = length;
        if (in.readableBytes() < n) {
            return false;
        }
        length = UNKNOWN;
        out.accept(in.split(n));
        return true;
    }

    /// The number at the read offset, which is taken; -1 when it is not whole yet.
    private static long number(Buffer in) {
        long value = 0;
        int start = in.readOffset();
        int readable = Math.min(MAX_BYTES, in.readableBytes());
        for (int i = 0; i < readable; i++) {
            int b = in.getUnsignedByte(start + i);
            value |= (b & 0x7FL) << (7 * i);
            if (b < 0x80 && value >>> 32 == 0) {
                in.readOffset(start + i + 1);
                return value;
            }
        }
        if (readable == MAX_BYTES) {
            throw new CorruptedFrameException(
                    "varint: "
                            + DecoderException.quote(in, start, start + MAX_BYTES)
                            + " (expected: at most 32 bits in at most 5 bytes)");
        }
        return -1;
    }

    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (discard > 0 || length != UNKNOWN) {
            throw new PrematureEndException("a frame");
        }
        super.finish(unread, out);
    }
}
