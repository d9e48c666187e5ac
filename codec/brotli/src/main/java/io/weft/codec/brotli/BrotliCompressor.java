package io.weft.codec.brotli;

import com.aayushatharva.brotli4j.encoder.Encoder.Mode;
import com.aayushatharva.brotli4j.encoder.EncoderJNI;
import com.aayushatharva.brotli4j.encoder.EncoderJNI.Operation;
import io.weft.buffer.Buffer;
import io.weft.codec.compression.Compressor;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Compresses one Brotli stream. It holds native memory: some hundred kilobytes, and of the best
/// qualities several megabytes.
public final class BrotliCompressor implements Compressor {
    /// The quality at which speed is that of gzip, and the ratio better.
    private static final int DEFAULT_QUALITY = 4;

    private static final int MAX_QUALITY = 11;
    private static final int DEFAULT_WINDOW_LOG = 22;
    private static final int MIN_WINDOW_LOG = 10;
    private static final int MAX_WINDOW_LOG = 24;
    private static final int INPUT = 8 << 10;

    private final EncoderJNI.Wrapper encoder;
    private boolean closed;

    /// Quality 4, and a window of 4 MiB.
    public BrotliCompressor() {
        this(DEFAULT_QUALITY, DEFAULT_WINDOW_LOG);
    }

    /// @param quality 0 (fast) to 11 (best, and hundred times slower)
    /// @param windowLog 10 to 24: the power of two of the window in bytes
    /// @throws UnsupportedOperationException when the library cannot be loaded
    public BrotliCompressor(int quality, int windowLog) {
        if (quality < 0 || quality > MAX_QUALITY) {
            throw new IllegalArgumentException(
                    "quality: " + quality + " (expected: 0 to " + MAX_QUALITY + ")");
        }
        if (windowLog < MIN_WINDOW_LOG || windowLog > MAX_WINDOW_LOG) {
            throw new IllegalArgumentException(
                    "windowLog: "
                            + windowLog
                            + " (expected: "
                            + MIN_WINDOW_LOG
                            + " to "
                            + MAX_WINDOW_LOG
                            + ")");
        }
        Library.load();
        try {
            encoder = new EncoderJNI.Wrapper(INPUT, quality, windowLog, Mode.GENERIC);
        } catch (IOException e) {
            throw new UnsupportedOperationException("brotli4j: no memory for an encoder", e);
        }
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        while (in.isReadable()) {
            ByteBuffer input = encoder.getInputBuffer().clear();
            int length = Math.min(input.remaining(), in.readableBytes());
            in.readBytes(input.limit(length));
            push(Operation.PROCESS, length, out);
        }
    }

    @Override
    public void flush(Buffer out) {
        push(Operation.FLUSH, 0, out);
    }

    @Override
    public void finish(Buffer out) {
        push(Operation.FINISH, 0, out);
    }

    private void push(Operation operation, int length, Buffer out) {
        encoder.push(operation, length);
        while (true) {
            if (!encoder.isSuccess()) {
                throw new IllegalStateException("brotli4j: " + operation + " fails");
            }
            if (encoder.hasMoreOutput()) {
                out.writeBytes(encoder.pull());
            } else if (encoder.hasRemainingInput()) {
                encoder.push(operation, 0);
            } else {
                return;
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            encoder.destroy();
        }
    }
}
