package io.weft.codec.brotli;

import io.weft.buffer.Buffer;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.framing.FrameTooLongException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Expands a Brotli stream (RFC 7932). The format has no sum, so what is damaged may expand to something else.
///
/// When the library meets an error it forgets what it made of the input that it was just given. How much comes out before
/// an error has to depend on the stream alone, though, and what follows the stream is not its. So a scout goes ahead: a second
/// decoder is given each block first, and the first one gets a block whole only when the scout came through; the block in
/// which the stream ends or breaks it gets byte by byte. The scout is given up as soon as a block expands to so much that
/// going ahead would be work for the peer's sake; of such a stream the rest is short.
///
/// Both keep a window in native memory, whose size the stream declares and `maxWindowLog` bounds; [#close] gives it back.
public final class BrotliDecompressor extends Decompressor {
    /// Windows up to 4 MiB, which is what the library itself makes unless told otherwise.
    public static final int DEFAULT_MAX_WINDOW_LOG = 22;

    /// Windows up to 16 MiB, which are all that the format has. The command line tool makes these.
    public static final int LARGEST_WINDOW_LOG = 24;

    private static final int MIN_WINDOW_LOG = 10;

    /// Bytes out of one block, up to which the scout goes ahead.
    private static final int SCOUTED = 64 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int maxWindowLog;
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
        int three = first >> 1 & 7;
        int log = (first & 1) == 0 ? 16 : three > 0 ? 17 + three : 8 + Math.max(2, first >> 4 & 7);
        if (log > maxWindowLog) {
            throw new FrameTooLongException("brotli window bytes", 1L << log, 1L << maxWindowLog);
        }
    }

    /// How many bytes may be pushed at once.
    private int safeLength(Buffer in) {
        int length = Math.min(in.readableBytes(), Native.BLOCK);
        if (scout == null) {
            return 1;
        }
        scout.push(in, in.readOffset(), length);
        int made = 0;
        int more;
        do {
            more = scout.pull().remaining();
            made += more;
        } while (more > 0 && made <= SCOUTED);
        if (made <= SCOUTED && scout.wantsInput()) {
            return length;
        }
        scout.close();
        scout = null;
        return 1;
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
