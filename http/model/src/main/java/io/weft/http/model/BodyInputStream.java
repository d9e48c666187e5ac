package io.weft.http.model;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/// A source as an [InputStream], which waits for the source's wake-ups. One thread at a time; an
/// interrupt ends the read, and with it the body. If the source may be closed by another thread, so
/// may this, which ends a read.
final class BodyInputStream extends InputStream {
    private static final int PIECE = 16 << 10;

    private final BodySource source;
    private final Semaphore wakes = new Semaphore(0);

    /// The last piece that was read, and how much of it was taken.
    private byte[] rest = {};

    private int at;
    private boolean ended;
    private volatile boolean closed;

    BodyInputStream(BodySource source) {
        if (!source.mayWait()) {
            throw new IllegalStateException(
                    "reads a body on "
                            + Thread.currentThread().getName()
                            + " (expected: a thread that may block, not its event loop)");
        }
        this.source = source;
        source.onWake(wakes::release);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (closed) {
            throw new IOException("stream: closed (expected: open)");
        }
        if (length == 0) {
            return 0;
        }
        if (at == rest.length && !fill()) {
            return -1;
        }
        int got = Math.min(length, rest.length - at);
        System.arraycopy(rest, at, to, offset, got);
        at += got;
        return got;
    }

    /// Reads the next piece, and waits for it.
    ///
    /// @return false at the end
    private boolean fill() throws IOException {
        while (!ended) {
            BodySource.Step step;
            try (Buffer piece = BufferAllocator.pooled().allocate(PIECE)) {
                step = source.read(piece);
                ended = step == BodySource.Step.END;
                if (piece.isReadable()) {
                    rest = new byte[piece.readableBytes()];
                    piece.readBytes(rest);
                    at = 0;
                    return true;
                }
            }
            if (step == BodySource.Step.WAIT) {
                await();
            }
        }
        return false;
    }

    private void await() throws IOException {
        try {
            wakes.acquire();
            wakes.drainPermits();
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted; the body is given up");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            source.close();
            wakes.release();
        }
    }
}
