package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.compression.Compressor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/// Compresses one xz stream, with a CRC-64 of its content. It holds some ten megabytes of heap at
/// preset 1 and some hundred at 6.
public final class XzCompressor implements Compressor {
    private final int preset;
    private final Sink sink = new Sink();
    private @Nullable XZOutputStream stream;

    public XzCompressor() {
        this(Sink.DEFAULT_PRESET);
    }

    /// @param preset 0 (fast) to 6 (best), as of the command line tool
    public XzCompressor(int preset) {
        this.preset = Sink.checkPreset(preset);
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        sink.to(out, () -> stream().write(bytes, 0, bytes.length));
    }

    @Override
    public void flush(Buffer out) {
        sink.to(out, () -> stream().flush());
    }

    @Override
    public void finish(Buffer out) {
        sink.to(out, () -> stream().finish());
    }

    /// Made by the first call that has somewhere to write its header.
    private XZOutputStream stream() throws IOException {
        XZOutputStream made = stream;
        if (made == null) {
            made = new XZOutputStream(sink, new LZMA2Options(preset), XZ.CHECK_CRC64);
            stream = made;
        }
        return made;
    }

    @Override
    public void close() {
        stream = null; // which is memory, and no more
    }
}
