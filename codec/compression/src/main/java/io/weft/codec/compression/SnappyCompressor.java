package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;

/// Compresses to the framed format of Snappy.
public final class SnappyCompressor extends BlockCompressor {
    private final int[] table = new int[1 << 14];

    public SnappyCompressor() {
        super(SnappyDecompressor.MAX_CHUNK);
    }

    @Override
    void begin(Buffer out) {
        out.writeByte(SnappyDecompressor.IDENTIFIER);
        out.writeMediumLE(SnappyDecompressor.STREAM_ID.length);
        out.writeBytes(SnappyDecompressor.STREAM_ID);
    }

    @Override
    void block(int length, Buffer out) {
        int sum = SnappyDecompressor.maskedSum(block, length);
        try (Buffer small = BufferAllocator.pooled().allocate(length)) {
            io.weft.buffer.Varint.writeInt(small, length);
            Snappy.compress(block, length, table, small);
            boolean smaller = small.readableBytes() < length - length / 8;
            out.writeByte(
                    smaller ? SnappyDecompressor.COMPRESSED : SnappyDecompressor.UNCOMPRESSED);
            out.writeMediumLE(4 + (smaller ? small.readableBytes() : length));
            out.writeIntLE(sum);
            if (smaller) {
                out.writeBytes(small);
            } else {
                out.writeBytes(block, 0, length);
            }
        }
    }

    @Override
    void end(Buffer out) {}
}
