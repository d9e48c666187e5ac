package io.weft.codec.brotli;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Expands a Brotli stream (RFC 7932). The format has no sum, so what is damaged may expand to
/// something else.
///
/// When the library meets an error it forgets what it made of the input that it was just given. How
/// much comes out before an error has to depend on the stream alone, though, and what follows the
/// stream is not its. So a scout goes ahead: a second decoder is given each block first, and the
/// first one gets a block whole only when the scout came through. The block in which the stream
/// ends, breaks, or comes to its limits it gets byte by byte, and that is the last one: a byte of
/// any other costs a thousandth of two calls of the library, however much it expands to.
///
/// Both keep a window in native memory, whose size the stream declares and `maxWindowLog` bounds;
/// [#close] gives it back.
public final class BrotliDecompressor extends Decompressor {
    /// Windows up to 4 MiB, which is what the library itself makes unless told otherwise.
    public static final int DEFAULT_MAX_WINDOW_LOG = 22;

    /// Windows up to 16 MiB, which are all that the format has. The command line tool makes these.
    public static final int LARGEST_WINDOW_LOG = 24;

    private static final int MIN_WINDOW_LOG = 10;

    /// The ratio is looked at once in so many bytes that come out; twice that is over it for
    /// certain.
    private static final long SLACK = 128L << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final DecompressionLimits limits;
    private final int maxWindowLog;

    /// Bytes of whole blocks so far, and what the scout made of them.
    private long scoutedIn;

    private long scoutedOut;
    private @Nullable Native decoder;
    private @Nullable Native scout;
    private ByteBuffer output = NOTHING;
    private boolean done;

    public BrotliDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public BrotliDecompressor(DecompressionLimits limits) {
        this(limits, DEFAULT_MAX_WINDOW_LOG);
    }

    /// @param maxWindowLog 10 to 24: the power of two of the largest window in bytes
    /// @throws UnsupportedOperationException when the library cannot be loaded
    public BrotliDecompressor(DecompressionLimits limits, int maxWindowLog) {
        super(limits);
        this.limits = limits;
        if (maxWindowLog < MIN_WINDOW_LOG || maxWindowLog > LARGEST_WINDOW_LOG) {
            throw new IllegalArgumentException(
                    "maxWindowLog: "
                            + maxWindowLog
                            + " (expected: "
                            + MIN_WINDOW_LOG
                            + " to "
                            + LARGEST_WINDOW_LOG
                            + ")");
        }
        this.maxWindowLog = maxWindowLog;
        Library.load();
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        while (!done) {
            if (decoder == null) {
                if (!in.isReadable()) {
                    return Status.NEEDS_INPUT;
                }
                checkWindow(in.getUnsignedByte(in.readOffset()));
                decoder = new Native();
                scout = new Native();
            }
            if (!output.hasRemaining()) {
                output = decoder.pull();
            }
            if (output.hasRemaining()) {
                int length = Math.min(output.remaining(), out.writableBytes());
                out.writeBytes(output.slice(output.position(), length));
                output.position(output.position() + length);
                if (output.hasRemaining()) {
                    return Status.NEEDS_OUTPUT;
                }
            } else if (decoder.isDone()) {
                done = true;
            } else if (!decoder.wantsInput()) {
                throw corrupted("brotli stream", "broken", "RFC 7932");
            } else if (!in.isReadable()) {
                return Status.NEEDS_INPUT;
            } else {
                int length = safeLength(in);
                decoder.push(in, in.readOffset(), length);
                in.skipReadable(length);
            }
        }
        return Status.FINISHED;
    }

    /// RFC 7932, 9.1: the first one, four or seven bits. What they do not mean the library refuses.
    private void checkWindow(int first) {
        int log = 16;
        if ((first & 1) != 0) {
            int second = first >> 1 & 7;
            int third = first >> 4 & 7;
            log = second > 0 ? 17 + second : third > 0 ? 8 + third : 17;
        }
        if (log > maxWindowLog) {
            throw new LimitExceededException("brotli window bytes", 1L << log, 1L << maxWindowLog);
        }
    }

    /// Returns the number of bytes that may be pushed at once.
    private int safeLength(Buffer in) {
        int length = Math.min(in.readableBytes(), Native.BLOCK);
        if (scout == null) {
            return 1;
        }
        scout.push(in, in.readOffset(), length);
        scoutedIn += length;
        long most = mostOut();
        int more;
        do {
            more = scout.pull().remaining();
            scoutedOut += more;
        } while (more > 0 && scoutedOut <= most);
        if (scoutedOut <= most && scout.wantsInput()) {
            return length;
        }
        scout.close();
        scout = null;
        return 1;
    }

    /// Bytes out beyond which the decoder does not come in this block, as a limit ends the stream
    /// before.
    private long mostOut() {
        long byRatio =
                Math.max(limits.ratioFrom(), saturated(scoutedIn + 1, limits.ratio())) + SLACK;
        return Math.min(limits.total(), byRatio);
    }

    private static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE - SLACK;
    }

    /// Times that the library was given input.
    long pushes() {
        return (decoder == null ? 0 : decoder.pushes()) + (scout == null ? 0 : scout.pushes());
    }

    @Override
    protected boolean isComplete() {
        return done;
    }

    @Override
    public void close() {
        output = NOTHING;
        if (scout != null) {
            scout.close();
            scout = null;
        }
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }
}
