package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// A source that reads an [InputStream] on virtual threads, one piece of 16 KiB ahead of the wire.
final class InputStreamSource implements BodySource {
    /// Opens the stream, on a thread that may block.
    interface Opener {
        InputStream open() throws IOException;
    }

    private static final int PIECE = 16 << 10;

    private final Opener opener;

    // Guarded by this object:
    private @Nullable InputStream in;
    private byte @Nullable [] piece;
    private int at;
    private int length;
    private boolean reading;
    private boolean ended;
    private boolean closed;
    private @Nullable Throwable failure;
    private Runnable wake = () -> {};

    InputStreamSource(Opener opener) {
        this.opener = opener;
    }

    /// @param open is closed in the end, whether or not it was read
    InputStreamSource(InputStream open) {
        this(() -> open);
        in = open;
    }

    /// Opens the stream now, if it is not open: before anybody reads, on a thread that may block.
    void open() throws IOException {
        synchronized (this) {
            if (in != null || reading || closed) {
                return;
            }
        }
        InputStream opened = opener.open();
        synchronized (this) {
            in = opened;
        }
    }

    @Override
    public synchronized void onWake(Runnable runnable) {
        wake = runnable;
    }

    @Override
    public synchronized Step read(Buffer out) throws IOException {
        if (failure != null) {
            throw new IOException("the stream of a body failed", failure);
        }
        int moved = Math.min(length - at, out.writableBytes());
        if (moved > 0 && piece != null) {
            out.writeBytes(piece, at, moved);
            at += moved;
        }
        if (at < length) {
            return Step.MORE;
        }
        if (ended) {
            return Step.END;
        }
        if (!reading) {
            reading = true;
            Thread.ofVirtual().name("weft-body").start(this::fill);
        }
        return Step.WAIT;
    }

    /// Reads the next piece. While it reads, nobody else touches the stream or the piece.
    private void fill() {
        InputStream from = null;
        byte[] bytes;
        Throwable thrown = null;
        int got = 0;
        synchronized (this) {
            bytes = piece == null ? new byte[PIECE] : piece;
            from = in;
        }
        try {
            if (from == null) {
                from = opener.open();
            }
            // What is there: a stream of events must not wait until a piece is full.
            got = from.read(bytes, 0, PIECE);
        } catch (IOException | RuntimeException | Error e) {
            thrown = e;
        }
        Runnable waiter;
        boolean close;
        synchronized (this) {
            in = from;
            piece = bytes;
            at = 0;
            length = Math.max(0, got);
            ended = got < 0;
            failure = thrown;
            reading = false;
            close = closed;
            waiter = wake;
        }
        if (close) {
            close(from);
        } else {
            waiter.run();
        }
    }

    @Override
    public void close() {
        InputStream open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (reading) {
                return; // its reader closes it
            }
            open = in;
        }
        if (open != null) {
            Thread.ofVirtual().name("weft-body").start(() -> close(open));
        }
    }

    private static void close(@Nullable InputStream stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                System.getLogger("io.weft.http.model")
                        .log(System.Logger.Level.DEBUG, "a body's stream failed to close", e);
            }
        }
    }
}
