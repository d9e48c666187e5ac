package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.LZMA2Options;

/// The contents of blocks: chunks that say how long they are. The library is a stream that cannot
/// be interrupted, so it is handed chunks that are whole, and asked for no byte more than one has.
final class Lzma2 {
    /// Bytes that are expanded at a time, counted from the beginning of a chunk: when a chunk is
    /// corrupted, how much comes out before the error depends on it alone.
    static final int SLICE = 4096;

    private static final int UNCOMPRESSED = 3;
    private static final int LZMA = 0x80;
    private static final int LZMA_PROPERTIES = 0xC0;
    private static final int MIN_DICTIONARY = LZMA2Options.DICT_SIZE_MIN;

    /// Reads from whatever buffer the current call is about.
    private static final class Source extends InputStream {
        private @Nullable Buffer in;

        @Override
        public int read() {
            return in == null || !in.isReadable() ? -1 : in.readUnsignedByte();
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            if (in == null || !in.isReadable()) {
                return length == 0 ? 0 : -1;
            }
            int n = Math.min(length, in.readableBytes());
            in.readBytes(to, offset, n);
            return n;
        }
    }

    private final Source source = new Source();

    /// Takes the arrays of one block for the next: many small blocks would make many large
    /// dictionaries.
    private final ArrayCache arrays;

    private final byte[] slice = new byte[SLICE];
    private int dictionary = MIN_DICTIONARY;
    private @Nullable InputStream block;

    /// Content of the chunk that has not come out yet.
    private int left;

    /// Bytes of the block that were taken.
    private long taken;

    Lzma2(ArrayCache arrays) {
        this.arrays = arrays;
    }

    /// @param size of the dictionary; a larger one is kept
    void begin(int size) throws IOException {
        dictionary = Math.max(dictionary, size);
        LZMA2Options options = new LZMA2Options();
        options.setDictSize(dictionary);
        block = options.getInputStream(source, arrays);
        left = 0;
        taken = 0;
    }

    /// Bytes of the chunk at the read offset; as many as tell that when there are fewer, 1 for the
    /// end of the block.
    static int chunkLength(Buffer in) {
        int at = in.readOffset();
        if (!in.isReadable() || in.getByte(at) == 0) {
            return 1;
        }
        int control = in.getUnsignedByte(at);
        if (control < LZMA) {
            return in.readableBytes() < UNCOMPRESSED
                    ? UNCOMPRESSED
                    : UNCOMPRESSED + in.getUnsignedShort(at + 1) + 1;
        }
        int header = control >= LZMA_PROPERTIES ? 6 : 5;
        return in.readableBytes() < header
                ? header
                : header + in.getUnsignedShort(at + UNCOMPRESSED) + 1;
    }

    /// Opens the chunk at the read offset, which has to be whole and not the end.
    void chunk(Buffer in) {
        int at = in.readOffset();
        int control = in.getUnsignedByte(at);
        int high = control < LZMA ? 0 : (control & 0x1F) << 16;
        left = high + in.getUnsignedShort(at + 1) + 1;
    }

    int left() {
        return left;
    }

    long taken() {
        return taken;
    }

    /// The next slice of the chunk, of [#next] bytes.
    byte[] slice() {
        return slice;
    }

    /// Expands up to [#SLICE] bytes.
    int next(Buffer in) throws IOException {
        int length = read(in, Math.min(left, SLICE));
        left -= length;
        return length;
    }

    /// Takes the end of the block.
    void end(Buffer in) throws IOException {
        if (read(in, 1) != -1) {
            throw new CorruptedFrameException("LZMA2 block: goes on (expected: its end)");
        }
        close();
    }

    private int read(Buffer in, int length) throws IOException {
        if (block == null) {
            throw new IllegalStateException("no block (expected: begun)");
        }
        int start = in.readOffset();
        source.in = in;
        try {
            return block.read(slice, 0, length);
        } finally {
            source.in = null;
            taken += in.readOffset() - start;
        }
    }

    void close() throws IOException {
        if (block != null) {
            block.close(); // its arrays go back
            block = null;
        }
    }
}
