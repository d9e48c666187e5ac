package io.weft.http.model;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/// Reads a streamed body to its end without blocking. Wake-ups may come from any thread, and within
/// a read: the first one reads, and reads again for those that came meanwhile.
final class BodyReader {
    private static final int PIECE = 16 << 10;

    /// Takes the bytes of a body.
    interface Pieces {
        /// @param piece not empty; the caller's, for the time of the call
        /// @throws IOException when no more is wanted: the body is given up
        void take(Buffer piece) throws IOException;
    }

    private final BodySource source;
    private final Pieces pieces;
    private final CompletableFuture<Long> whole = new CompletableFuture<>();
    private final AtomicInteger wakes = new AtomicInteger();
    private long length;
    private boolean done;

    private BodyReader(BodySource source, Pieces pieces) {
        this.source = source;
        this.pieces = pieces;
    }

    /// Reads all of `source`, and closes it.
    ///
    /// @return the number of bytes
    static CompletionStage<Long> read(BodySource source, Pieces pieces) {
        BodyReader reader = new BodyReader(source, pieces);
        source.onWake(reader::wake);
        reader.wake();
        return reader.whole;
    }

    private void wake() {
        if (wakes.getAndIncrement() > 0) {
            return;
        }
        do {
            read();
        } while (wakes.decrementAndGet() > 0);
    }

    private void read() {
        while (!done) {
            BodySource.Step step;
            try (Buffer piece = BufferAllocator.pooled().allocate(PIECE)) {
                step = source.read(piece);
                if (piece.isReadable()) {
                    length += piece.readableBytes();
                    pieces.take(piece);
                }
            } catch (IOException | RuntimeException | Error e) {
                done = true;
                source.close();
                whole.completeExceptionally(e);
                return;
            }
            if (step == BodySource.Step.END) {
                done = true;
                source.close();
                whole.complete(length);
            } else if (step == BodySource.Step.WAIT) {
                return;
            }
        }
    }
}
