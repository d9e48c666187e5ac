package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts the input into frames that end with one of some delimiters.
///
/// The delimiter whose last byte comes first ends the frame, and of several that end there the
/// longest one: the shortest frame wins, and it does not matter how the bytes arrive.
public final class DelimiterDecoder extends StepDecoder<Buffer> {
    private final int maxLength;
    private final boolean strip;
    private final TooLong tooLong;

    /// Longest first.
    private final byte[][] delimiters;

    private final int longest;

    /// Last bytes of delimiters; one of them, if they are all the same, can be searched eight bytes
    /// at a time.
    private final boolean[] lastBytes = new boolean[256];

    private final boolean oneLastByte;

    /// Bytes, from the read offset on, that are known to end no delimiter.
    private int looked;

    private boolean discarding;

    /// Cuts delimiters off, and fails on frames longer than `maxLength` bytes.
    public DelimiterDecoder(int maxLength, byte[]... delimiters) {
        this(maxLength, true, TooLong.fail(), delimiters);
    }

    /// @param maxLength bytes of a frame without its delimiter
    /// @param strip whether delimiters are cut off the frames
    /// @throws IllegalArgumentException when there is no delimiter, or an empty one
    public DelimiterDecoder(int maxLength, boolean strip, TooLong tooLong, byte[]... delimiters) {
        if (delimiters.length == 0) {
            throw new IllegalArgumentException("delimiters: none (expected: at least one)");
        }
        this.delimiters = new byte[delimiters.length][];
        int bytes = 0;
        for (int i = 0; i < delimiters.length; i++) {
            byte[] d = delimiters[i].clone();
            if (d.length == 0) {
                throw new IllegalArgumentException("delimiter: empty (expected: a byte or more)");
            }
            int last = d[d.length - 1] & 0xFF;
            bytes += lastBytes[last] ? 0 : 1;
            lastBytes[last] = true;
            this.delimiters[i] = d;
        }
        java.util.Arrays.sort(this.delimiters, (a, b) -> b.length - a.length);
        longest = this.delimiters[0].length;
        oneLastByte = bytes == 1;
        if (maxLength < 0 || maxLength > Integer.MAX_VALUE - longest) {
            throw new IllegalArgumentException("maxLength: " + maxLength + " (expected: >= 0)");
        }
        this.maxLength = maxLength;
        this.strip = strip;
        this.tooLong = tooLong;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        int start = in.readOffset();
        int readable = in.readableBytes();
        // A delimiter that ends behind this cannot end a frame that is short enough.
        int to = discarding ? readable : Math.min(readable, maxLength + longest);
        for (int at = next(in, start + looked, start + to); at >= 0; ) {
            byte[] delimiter = endingAt(in, start, at);
            if (delimiter != null) {
                return cut(in, at + 1, delimiter.length, out);
            }
            at = next(in, at + 1, start + to);
        }
        looked = to;
        if (discarding) {
            // What may be the first bytes of a delimiter stays.
            int gone = Math.max(0, readable - (longest - 1));
            in.skipReadable(gone);
            looked -= gone;
            return false;
        }
        return to == maxLength + longest && found();
    }

    private int next(Buffer in, int from, int to) {
        if (oneLastByte) {
            byte[] any = delimiters[0];
            return in.indexOf(any[any.length - 1], from, to);
        }
        for (int i = from; i < to; i++) {
            if (lastBytes[in.getUnsignedByte(i)]) {
                return i;
            }
        }
        return -1;
    }

    private byte @org.jspecify.annotations.Nullable [] endingAt(Buffer in, int start, int at) {
        for (byte[] d : delimiters) {
            int from = at + 1 - d.length;
            if (from >= start && in.contentEquals(from, d, 0, d.length)) {
                return d;
            }
        }
        return null;
    }

    private boolean cut(Buffer in, int end, int delimiter, Consumer<? super Buffer> out) {
        int length = end - delimiter - in.readOffset();
        if (!discarding && length > maxLength) {
            return found();
        }
        looked = 0;
        if (discarding) {
            discarding = false;
            in.readOffset(end);
            return true;
        }
        Buffer frame = in.split(strip ? length : length + delimiter);
        in.readOffset(end);
        out.accept(frame);
        return true;
    }

    private boolean found() {
        tooLong.found("frame bytes", maxLength + 1L, maxLength);
        discarding = true;
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (discarding) {
            throw new PrematureEndException("a frame that is being discarded");
        }
        super.finish(unread, out);
    }
}
