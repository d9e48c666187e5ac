package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// The stream that the library's compressors write to; it forwards to the buffer of the current
/// call.
final class Sink extends OutputStream {
    static final int DEFAULT_PRESET = 1;

    /// Above, dictionaries are larger than our decompressors take unless told to.
    private static final int MAX_PRESET = 6;

    /// An action on a compressor, within one call.
    interface Action {
        void run() throws IOException;
    }

    private @Nullable Buffer out;

    static int checkPreset(int preset) {
        if (preset < 0 || preset > MAX_PRESET) {
            throw new IllegalArgumentException(
                    "preset: " + preset + " (expected: 0 to " + MAX_PRESET + ")");
        }
        return preset;
    }

    /// Runs `action`, which writes to `buffer`.
    void to(Buffer buffer, Action action) {
        out = buffer;
        try {
            action.run();
        } catch (IOException e) {
            // Memory is all that is written to.
            throw new IllegalStateException("writing to a buffer: " + e, e);
        } finally {
            out = null;
        }
    }

    @Override
    public void write(int value) {
        out().writeByte(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        out().writeBytes(from, offset, length);
    }

    private Buffer out() {
        if (out == null) {
            throw new IllegalStateException("a write outside of any call");
        }
        return out;
    }
}
