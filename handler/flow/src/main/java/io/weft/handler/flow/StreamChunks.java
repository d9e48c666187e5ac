package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// All of a stream.
final class StreamChunks implements Chunks {
    private final InputStream stream;
    private final byte[] bytes;
    private boolean end;

    /// Read to find out whether there is more.
    private int ahead = -1;

    StreamChunks(InputStream stream, int pieceLength) {
        this.stream = stream;
        bytes = new byte[pieceLength];
    }

    @Override
    public boolean isEnd() throws IOException {
        if (!end && ahead < 0) {
            ahead = stream.read();
            end = ahead < 0;
        }
        return end;
    }

    @Override
    public @Nullable Buffer next() throws IOException {
        if (isEnd()) {
            return null;
        }
        bytes[0] = (byte) ahead;
        ahead = -1;
        int more =
                stream.available() == 0 ? 0 : Math.max(0, stream.read(bytes, 1, bytes.length - 1));
        return BufferAllocator.pooled().allocate(1 + more).writeBytes(bytes, 0, 1 + more);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
