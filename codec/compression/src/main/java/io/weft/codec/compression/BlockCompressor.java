package io.weft.codec.compression;

import io.weft.buffer.Buffer;

/// A format of blocks: collects input until a block is full.
abstract sealed class BlockCompressor implements Compressor
        permits Lz4Compressor, LzfCompressor, SnappyCompressor {
    final byte[] block;
    private int length;
    private boolean begun;

    BlockCompressor(int blockLength) {
        block = new byte[blockLength];
    }

    abstract void begin(Buffer out);

    /// Appends the block [0, length) of `block`.
    abstract void block(int length, Buffer out);

    abstract void end(Buffer out);

    @Override
    public final void compress(Buffer in, Buffer out) {
        begun(out);
        while (in.isReadable()) {
            int n = Math.min(block.length - length, in.readableBytes());
            in.readBytes(block, length, n);
            length += n;
            if (length == block.length) {
                flush(out);
            }
        }
    }

    private void begun(Buffer out) {
        if (!begun) {
            begun = true;
            begin(out);
        }
    }

    @Override
    public final void flush(Buffer out) {
        begun(out);
        if (length > 0) {
            block(length, out);
            length = 0;
        }
    }

    @Override
    public final void finish(Buffer out) {
        flush(out);
        end(out);
    }

    @Override
    public final void close() {}
}
