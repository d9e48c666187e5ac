package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.compression.Compressor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAOutputStream;

/// Compresses one stream of the older format of LZMA, `.lzma`, with an end marker. Prefer
/// [XzCompressor] for receivers that can read it: it has sums, and can be flushed.
public final class LzmaCompressor implements Compressor {
    private final int preset;
    private final Sink sink = new Sink();
    private @Nullable LZMAOutputStream stream;

    public LzmaCompressor() {
        this(Sink.DEFAULT_PRESET);
    }

    /// @param preset 0 (fast) to 6 (best), as of the command line tool
    public LzmaCompressor(int preset) {
        this.preset = Sink.checkPreset(preset);
    }

    @Override
    public void compress(Buffer in, Buffer out) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        sink.to(out, () -> stream().write(bytes, 0, bytes.length));
    }

    /// Appends nothing but the header: the format cannot say where one could stop for a while.
    @Override
    public void flush(Buffer out) {
        sink.to(out, this::stream);
    }

    @Override
    public void finish(Buffer out) {
        sink.to(out, () -> stream().finish());
    }

    /// Made by the first call that has somewhere to write its header.
    private LZMAOutputStream stream() throws IOException {
        LZMAOutputStream made = stream;
        if (made == null) {
            made = new LZMAOutputStream(sink, new LZMA2Options(preset), -1);
            stream = made;
        }
        return made;
    }

    @Override
    public void close() {
        stream = null; // which is memory, and no more
    }
}
