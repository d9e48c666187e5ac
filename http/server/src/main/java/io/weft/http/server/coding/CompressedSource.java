package io.weft.http.server.coding;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.compression.Compressor;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import java.io.IOException;

/// A source whose bytes are compressed as they come. When it waits for more, what it has is
/// flushed, so that the client can expand all that there is.
public final class CompressedSource implements BodySource {
    private static final int PIECE = 16 << 10;

    /// Pieces that may go in before something has to come out.
    private static final int MOST = 8;

    private final BodySource source;
    private final Compressor compressor;
    private final Buffer ready = BufferAllocator.pooled().allocate(PIECE);
    private boolean dirty;
    private boolean ended;
    private boolean closed;

    public CompressedSource(BodySource source, Compressor compressor) {
        this.source = source;
        this.compressor = compressor;
    }

    @Override
    public void onWake(Runnable wake) {
        source.onWake(wake);
    }

    @Override
    public Step read(Buffer out) throws IOException {
        for (int i = 0; !ready.isReadable() && !ended; i++) {
            ready.clear();
            if (i == MOST) {
                compressor.flush(ready);
                dirty = false;
            } else if (!more()) {
                return Step.WAIT;
            }
        }
        out.writeBytes(ready, Math.min(ready.readableBytes(), out.writableBytes()));
        return ended && !ready.isReadable() ? Step.END : Step.MORE;
    }

    /// @return false when there is nothing more now
    private boolean more() throws IOException {
        Step step;
        try (Buffer piece = BufferAllocator.pooled().allocate(PIECE)) {
            step = source.read(piece);
            if (piece.isReadable()) {
                dirty = true;
                compressor.compress(piece, ready);
            }
        }
        if (step == Step.END) {
            ended = true;
            compressor.finish(ready);
        } else if (step == Step.WAIT && dirty) {
            dirty = false;
            compressor.flush(ready);
        }
        return step != Step.WAIT || ready.isReadable();
    }

    @Override
    public boolean mayWait() {
        return source.mayWait();
    }

    /// The fields behind the body are of the message, whatever its coding.
    @Override
    public Headers trailers() {
        return source.trailers();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ready.release();
            compressor.close();
            source.close();
        }
    }
}
