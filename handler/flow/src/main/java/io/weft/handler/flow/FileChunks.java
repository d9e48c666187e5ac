package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// A part of a file.
final class FileChunks implements Chunks {
    private final FileChannel file;
    private final long end;
    private final int pieceLength;
    private long at;

    FileChunks(FileChannel file, long offset, long length, int pieceLength) {
        if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "offset, length: " + offset + ", " + length + " (expected: >= 0)");
        }
        this.file = file;
        this.at = offset;
        this.end = offset + length;
        this.pieceLength = pieceLength;
    }

    @Override
    public boolean isEnd() {
        return at >= end;
    }

    @Override
    public Buffer next() throws IOException {
        int length = (int) Math.min(pieceLength, end - at);
        Buffer piece = BufferAllocator.pooled().allocate(length);
        try {
            int n = file.read(piece.byteBuffer(0, length), at);
            if (n < 0) {
                throw new EOFException("file ends at " + at + " (expected: at " + end + ")");
            }
            at += n;
            return piece.writeOffset(n);
        } catch (IOException | RuntimeException e) {
            piece.release();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
