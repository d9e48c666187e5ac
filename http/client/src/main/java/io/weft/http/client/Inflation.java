package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.compression.DecompressionDecoder;
import io.weft.codec.compression.Decompressor;

/// Expands the body of one response on its way into a [ResponseBody], no faster than that is read.
/// Thread: the loop.
final class Inflation implements AutoCloseable {
    private final DecompressionDecoder decoder;
    private final ResponseBody body;
    private final Cumulation compressed = new Cumulation();
    private boolean full;
    private boolean over;
    private boolean empty = true;

    Inflation(Decompressor decompressor, ResponseBody body) {
        this.decoder = new DecompressionDecoder(decompressor);
        this.body = body;
    }

    /// Takes compressed bytes, which are this object's from now on.
    ///
    /// @return whether more is wanted now
    /// @throws io.weft.codec.DecoderException when they are not of the format, or expand too much
    boolean add(Buffer piece) {
        empty = false;
        compressed.add(piece);
        return expand();
    }

    /// The body is read on.
    ///
    /// @return whether more is wanted now
    boolean resume() {
        boolean held = full;
        full = false;
        decoder.resume();
        if (held && compressed.bytes() == null) {
            // Some formats hold what came out of input that they have taken.
            compressed.add(BufferAllocator.pooled().allocate(0));
        }
        return expand();
    }

    /// The compressed body is whole. What is not expanded yet is when the body is read on.
    void end() {
        over = true;
        expand();
    }

    /// Tells if everything has been expanded.
    boolean isDone() {
        return over && !full;
    }

    private boolean expand() {
        Buffer in = compressed.bytes();
        if (in != null && !full) {
            decoder.decode(in, this::expanded);
            compressed.trim();
        }
        // A response without a byte is empty, whatever coding it claims.
        if (over && !full && !empty) {
            decoder.end(this::expanded);
        }
        return !full;
    }

    private void expanded(Buffer piece) {
        if (!body.add(piece)) {
            full = true;
            decoder.pause();
        }
    }

    @Override
    public void close() {
        compressed.release();
        decoder.close();
    }
}
