package io.weft.buffer;

import java.io.InputStream;
import java.util.Objects;

/// Reads a buffer's readable bytes as a stream. The buffer stays its owner's: closing the stream
/// does not release it. `mark` and `reset` work anywhere in the bytes.
public final class BufferInputStream extends InputStream {
    private final Buffer buffer;
    private int mark;

    public BufferInputStream(Buffer buffer) {
        this.buffer = buffer;
        this.mark = buffer.readOffset();
    }

    @Override
    public int read() {
        return buffer.isReadable() ? buffer.readUnsignedByte() : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        int n = Math.min(length, buffer.readableBytes());
        if (n == 0) {
            return -1;
        }
        buffer.readBytes(to, offset, n);
        return n;
    }

    @Override
    public long skip(long length) {
        int n = Math.clamp(length, 0, buffer.readableBytes());
        buffer.skipReadable(n);
        return n;
    }

    @Override
    public int available() {
        return buffer.readableBytes();
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int readLimit) {
        mark = buffer.readOffset();
    }

    @Override
    public void reset() {
        buffer.readOffset(mark);
    }
}
