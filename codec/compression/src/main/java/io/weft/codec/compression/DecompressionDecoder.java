package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Runs a decompressor as a decoder: its messages are the pieces of the expanded stream, as they
/// come. A consumer that has enough pauses it, and is handed no further piece.
public final class DecompressionDecoder extends StepDecoder<Buffer> {
    /// Of a piece, at most.
    private static final int MAX_PIECE = 4096;

    private final Decompressor decompressor;
    private boolean finished;

    /// The decompressor becomes the decoder's.
    public DecompressionDecoder(Decompressor decompressor) {
        this.decompressor = decompressor;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (finished) {
            if (in.isReadable()) {
                throw new CorruptedFrameException(
                        "compressed stream: bytes behind its end (expected: none)");
            }
            return false;
        }
        Buffer piece = BufferAllocator.pooled().allocate(MAX_PIECE);
        Decompressor.Status status;
        try {
            status = decompressor.decompress(in, piece);
        } catch (RuntimeException e) {
            piece.release();
            throw e;
        }
        finished = status == Decompressor.Status.FINISHED;
        if (piece.isReadable()) {
            emitted();
            out.accept(piece);
        } else {
            piece.release();
        }
        return status != Decompressor.Status.NEEDS_INPUT;
    }

    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (unread > 0) {
            throw new PrematureEndException("a compressed stream");
        }
        decompressor.endOfInput();
    }

    @Override
    public void close() {
        decompressor.close();
    }
}
