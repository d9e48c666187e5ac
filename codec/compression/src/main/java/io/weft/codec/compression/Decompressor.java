package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import org.jspecify.annotations.Nullable;

/// Expands one compressed stream, a bounded piece a call: it never writes more than the room that
/// its caller gives it, nor more in all than the limits allow. The limits live here, so no format
/// can do without them.
///
/// ```java
/// while ((status = d.decompress(in, out)) == NEEDS_OUTPUT) {
///     out = send(out); // and go on with another buffer
/// }
/// ```
///
/// **Errors.** A [DecoderException] ends the stream: corrupted, too long, or cut short. Sums are
/// checked where a format has them; what was written before belongs to a stream that may turn out
/// to be corrupted.
///
/// **Threads.** One at a time. [#close] gives back what it holds.
public abstract class Decompressor implements AutoCloseable {
    /// The reason why a call stopped.
    public enum Status {
        /// It wants more input than there was; some of it may be left unread.
        NEEDS_INPUT,

        /// There is no more room in the output.
        NEEDS_OUTPUT,

        /// The stream is over; what follows in the input is not its.
        FINISHED
    }

    /// The ratio is looked at once in so many bytes, at the same places of the output however the
    /// input arrives.
    private static final long CHECK_EACH = 64L << 10;

    private final DecompressionLimits limits;
    private long totalIn;
    private long totalOut;
    private long nextCheck;
    private boolean finished;
    private @Nullable DecoderException dead;

    /// For formats.
    protected Decompressor(DecompressionLimits limits) {
        this.limits = limits;
        nextCheck = Math.max(limits.ratioFrom(), limits.ratioFrom() + 1);
    }

    /// Takes from `in` and appends to `out`, whose [Buffer#writableBytes] it respects.
    protected abstract Status step(Buffer in, Buffer out);

    /// Tells if the input may end at the current position.
    protected abstract boolean isComplete();

    /// Takes what it can from `in` and appends to `out` at most as much as there is room for now;
    /// `out` does not grow. Both stay the caller's.
    ///
    /// @throws LimitExceededException at a limit
    /// @throws CorruptedFrameException when `in` is not of the format
    public final Status decompress(Buffer in, Buffer out) {
        if (dead != null) {
            throw dead;
        }
        if (finished) {
            return Status.FINISHED;
        }
        try {
            Status status = Status.NEEDS_OUTPUT;
            // A part ends where limits are looked at, and `out` may have more room than that.
            while (status == Status.NEEDS_OUTPUT && dead == null && out.writableBytes() > 0) {
                status = checked(in, out);
            }
            return status;
        } catch (DecoderException e) {
            dead = e;
            throw e;
        }
    }

    private Status checked(Buffer in, Buffer out) {
        int room = out.writableBytes();
        // One byte more than allowed, which tells a stream that ends at the limit from one that
        // goes on. More than Long.MAX_VALUE does not come out.
        long total = Math.max(limits.total(), limits.total() + 1);
        long most = Math.min(nextCheck, total) - totalOut;
        int taken = in.readOffset();
        int before = out.writeOffset();
        Status status = most < room ? partly(in, out, (int) most) : whole(in, out);
        taken = in.readOffset() - taken;
        int made = out.writeOffset() - before;
        totalIn += taken;
        totalOut += made;
        if (status == Status.NEEDS_OUTPUT && taken == 0 && made == 0) {
            throw new IllegalStateException(
                    getClass().getName() + ": took and made nothing (expected: progress)");
        }
        finished = status == Status.FINISHED;
        return isWithinLimits(out) ? status : Status.NEEDS_OUTPUT;
    }

    private Status partly(Buffer in, Buffer out, int room) {
        try (Buffer part = out.slice(out.writeOffset(), room)) {
            part.clear();
            Status status = whole(in, part);
            out.writeOffset(out.writeOffset() + part.readableBytes());
            return status;
        }
    }

    /// Runs a step; output made before an error is passed on before the error is thrown. The amount
    /// depends on the stream alone.
    private Status whole(Buffer in, Buffer out) {
        int before = out.writeOffset();
        try {
            return step(in, out);
        } catch (DecoderException e) {
            if (out.writeOffset() == before) {
                throw e;
            }
            dead = e;
            return Status.NEEDS_OUTPUT;
        }
    }

    /// When not, the next call throws.
    private boolean isWithinLimits(Buffer out) {
        if (totalOut > limits.total()) {
            out.writeOffset(out.writeOffset() - 1);
            dead = new LimitExceededException("decompressed bytes", totalOut, limits.total());
            return false;
        }
        if (totalOut == nextCheck) {
            nextCheck += CHECK_EACH;
            if (totalOut / limits.ratio() > totalIn) {
                dead =
                        new LimitExceededException(
                                "decompressed bytes for each compressed one",
                                limits.ratio() + 1L,
                                limits.ratio());
                return false;
            }
        }
        return true;
    }

    /// The input is over.
    ///
    /// @throws PrematureEndException when the stream is not
    public final void endOfInput() {
        if (dead == null && !isComplete()) {
            dead = new PrematureEndException("a compressed stream");
            throw dead;
        }
    }

    /// Bytes written so far.
    public final long totalOut() {
        return totalOut;
    }

    @Override
    public void close() {}

    /// An error to throw.
    protected static CorruptedFrameException corrupted(String what, Object value, Object expected) {
        return new CorruptedFrameException(what + ": " + value + " (expected: " + expected + ")");
    }
}
