package io.weft.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/// A body for a thread that blocks while nothing is there. One thread at a time; an interrupt ends
/// the read, and with it the body.
final class BodyInputStream extends InputStream {
    private final ResponseBody body;
    private final Semaphore wakes = new Semaphore(0);
    private volatile boolean closed;

    BodyInputStream(ResponseBody body) {
        this.body = body;
        body.onWake(wakes::release);
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
        while (true) {
            wakes.drainPermits();
            int count = body.read(to, offset, length);
            if (count != 0) {
                return count;
            }
            try {
                wakes.acquire();
            } catch (InterruptedException e) {
                body.close();
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted; the response is given up");
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        body.close();
        wakes.release();
    }
}
