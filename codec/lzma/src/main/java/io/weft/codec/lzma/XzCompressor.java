package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.compression.Compressor;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/// Compresses one xz stream, with a CRC-64 of its content. It holds some ten megabytes of heap at preset 1 and some hundred
/// at 6.
public final class XzCompressor implements Compressor {
    private static final int DEFAULT_PRESET = 1;

    /// Above, dictionaries are larger than an [XzDecompressor] takes unless told to.
    private static final int MAX_PRESET = 6;

    /// Writes to whatever buffer the current call is about.
    private static final class Sink extends OutputStream {
        private @Nullable Buffer out;

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

    /// What a call does with the stream.
    private interface Action {
        void on(XZOutputStream stream) throws IOException;
    }

    private final int preset;
    private final Sink sink = new Sink();
    private @Nullable XZOutputStream stream;

    public XzCompressor() {
        this(DEFAULT_PRESET);
    }

    /// @param preset 0 (fast) to 6 (best), as of the command line tool
    public XzCompressor(int preset) {
        if (preset < 0 || preset > MAX_PRESET) {
            throw new IllegalArgumentException(
                    "preset: " + preset + " (expected: 0 to " + MAX_PRESET + ")");
        }
        this.preset = preset;
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        with(out, stream -> stream.write(bytes, 0, bytes.length));
    }

    @Override
    public void flush(Buffer out) {
        with(out, XZOutputStream::flush);
    }

    @Override
    public void finish(Buffer out) {
        with(out, XZOutputStream::finish);
    }

    private void with(Buffer out, Action action) {
        sink.out = out;
        try {
            action.on(stream());
        } catch (IOException e) {
            // Memory is all that is written to.
            throw new IllegalStateException("writing to a buffer: " + e, e);
        } finally {
            sink.out = null;
        }
    }

    /// Made by the first call that has somewhere to write its header.
    private XZOutputStream stream() throws IOException {
        XZOutputStream made = stream;
        if (made == null) {
            made = new XZOutputStream(sink, options(), XZ.CHECK_CRC64);
            stream = made;
        }
        return made;
    }

    private LZMA2Options options() throws UnsupportedOptionsException {
        return new LZMA2Options(preset);
    }

    @Override
    public void close() {
        stream = null; // which is memory, and no more
    }
}
