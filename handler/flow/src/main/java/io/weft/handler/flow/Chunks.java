package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// A large content that is made piece by piece, as the peer takes it; [ChunkedWriteHandler] writes
/// it.
///
/// It is used by one event loop, which it must not hold up.
public interface Chunks extends AutoCloseable {
    /// Bytes of a piece unless said otherwise.
    int DEFAULT_LENGTH = 8192;

    /// Tells if there is nothing more to come.
    boolean isEnd() throws IOException;

    /// The next piece, which the caller owns; null when there is none yet: then somebody has to
    /// call [ChunkedWriteHandler#resume] later.
    @Nullable Buffer next() throws IOException;

    @Override
    void close() throws IOException;

    /// `length` bytes of `file` from `offset` on; the file is closed with it.
    static Chunks of(FileChannel file, long offset, long length) {
        return new FileChunks(file, offset, length, DEFAULT_LENGTH);
    }

    /// All of `stream`, which must not block for long; it is closed with it.
    static Chunks of(InputStream stream) {
        return new StreamChunks(stream, DEFAULT_LENGTH);
    }

    /// The buffers of `pieces`, which become the caller's. If the content is given up, at most one
    /// more piece is made, and released: iterators of streams make a piece when they are asked if
    /// there is one.
    static Chunks of(Iterator<Buffer> pieces) {
        return new Chunks() {
            private boolean looked;

            @Override
            public boolean isEnd() {
                looked = pieces.hasNext();
                return !looked;
            }

            @Override
            public Buffer next() {
                looked = false;
                return pieces.next();
            }

            @Override
            public void close() {
                if (looked) {
                    next().release();
                }
            }
        };
    }
}
