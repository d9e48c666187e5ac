package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts the input into lines, without their ends: CR LF, and unless told otherwise LF alone.
public final class LineDecoder extends StepDecoder<Buffer> {
    /// Which bytes end a line.
    public enum End {
        /// LF, and CR LF: a CR before the LF is cut off too.
        LF_OR_CRLF,

        /// CR LF. Where a gateway or a parser behind this one may split lines too, only one ending
        /// is safe: a LF without CR is a [CorruptedFrameException].
        CRLF
    }

    private static final byte LF = '\n';
    private static final byte CR = '\r';

    private final int maxLength;
    private final End end;
    private final TooLong tooLong;

    /// Bytes, from the read offset on, that are known to hold no LF.
    private int looked;

    private boolean discarding;

    /// True if the last discarded byte is a CR.
    private boolean endsWithCr;

    /// Fails on lines longer than `maxLength` bytes.
    public LineDecoder(int maxLength) {
        this(maxLength, End.LF_OR_CRLF, TooLong.fail());
    }

    /// @param maxLength bytes of a line without its end
    public LineDecoder(int maxLength, End end, TooLong tooLong) {
        if (maxLength < 0 || maxLength > Integer.MAX_VALUE - 2) {
            throw new IllegalArgumentException("maxLength: " + maxLength + " (expected: >= 0)");
        }
        this.maxLength = maxLength;
        this.end = end;
        this.tooLong = tooLong;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (discarding) {
            return discard(in);
        }
        int start = in.readOffset();
        // The LF of the longest line that may be: behind maxLength bytes and a CR.
        int last = start + Math.min(maxLength + 1, in.readableBytes() - 1);
        int lf = in.indexOf(LF, start + looked, last + 1);
        if (lf < 0) {
            looked = last + 1 - start;
            if (looked <= maxLength
                    || (looked == maxLength + 1 && in.getByte(start + maxLength) == CR)) {
                return false;
            }
            return found();
        }
        boolean cr = lf > start && in.getByte(lf - 1) == CR;
        int length = lf - start - (cr ? 1 : 0);
        if (length > maxLength) {
            return found(); // before its end is looked at: that may not have been there yet
        }
        if (!cr && end == End.CRLF) {
            throw noCr(in, start, lf);
        }
        looked = 0;
        Buffer line = in.split(length);
        in.readOffset(lf + 1);
        out.accept(line);
        return true;
    }

    private boolean found() {
        tooLong.found("line bytes", maxLength + 1L, maxLength);
        discarding = true;
        endsWithCr = false;
        return true;
    }

    private boolean discard(Buffer in) {
        int start = in.readOffset();
        int lf = in.indexOf(LF);
        if (lf < 0) {
            endsWithCr = in.isReadable() ? in.getByte(in.writeOffset() - 1) == CR : endsWithCr;
            in.skipReadable(in.readableBytes());
            return false;
        }
        boolean cr = lf > start ? in.getByte(lf - 1) == CR : endsWithCr;
        if (!cr && end == End.CRLF) {
            throw noCr(in, lf, lf); // which does not depend on what was skipped before
        }
        in.readOffset(lf + 1);
        discarding = false;
        looked = 0;
        return true;
    }

    private static CorruptedFrameException noCr(Buffer in, int start, int lf) {
        return new CorruptedFrameException(
                DecoderException.quote(in, Math.max(start, lf - 10), lf + 1)
                        + " (expected: CR before LF)");
    }

    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (discarding) {
            throw new PrematureEndException("a line that is being discarded");
        }
        super.finish(unread, out);
    }
}
