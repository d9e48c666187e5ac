package io.weft.buffer;

import java.io.OutputStream;

/// Appends what is written to a buffer. The buffer stays its owner's: closing the stream does not
/// release it.
public final class BufferOutputStream extends OutputStream {
    private final Buffer buffer;

    public BufferOutputStream(Buffer buffer) {
        this.buffer = buffer;
    }

    /// @throws MemoryLimitException when the buffer may not grow further
    @Override
    public void write(int value) {
        buffer.writeByte(value);
    }

    /// @throws MemoryLimitException when the buffer may not grow further
    @Override
    public void write(byte[] from, int offset, int length) {
        buffer.writeBytes(from, offset, length);
    }
}
