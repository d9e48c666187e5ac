package io.weft.http.client;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The body of one response between the loop that receives it and the thread that reads it: a
/// bounded queue of buffers. When [#HIGH] bytes wait, the loop receives no more until fewer than
/// [#LOW] do.
///
/// **Threads.** The loop adds; one thread at a time reads. A lock guards all fields; nobody is
/// called under it.
final class ResponseBody implements BodySource {
    static final int HIGH = 64 << 10;
    static final int LOW = 16 << 10;

    /// Bytes of a piece that waits as it is, if others wait before it.
    private static final int SHORT = 4 << 10;

    private static final int GATHERED = 8 << 10;

    /// The loop's side.
    interface Flow {
        /// Fewer than [#LOW] bytes wait: receive on. Any thread.
        void resume();

        /// The body is no longer wanted. Any thread.
        void discard();
    }

    private final Flow flow;

    // ---- under the lock ----

    private final ArrayDeque<Buffer> pieces = new ArrayDeque<>();

    /// The last of them, when it is this object's own, into which short ones are copied.
    private @Nullable Buffer gathered;

    private int waiting;
    private boolean throttled;
    private boolean ended;
    private boolean closed;
    private @Nullable HttpClientException failure;
    private @Nullable Runnable wake;
    private Headers trailers = Headers.EMPTY;

    ResponseBody(Flow flow) {
        this.flow = flow;
    }

    // ---- the loop ----

    /// Takes a piece, which is this object's from now on.
    ///
    /// @return whether more is wanted now; if not, [Flow#resume] tells when
    boolean add(Buffer piece) {
        Runnable toWake;
        boolean more;
        synchronized (this) {
            if (closed || !piece.isReadable()) {
                piece.release();
                return true;
            }
            waiting += piece.readableBytes();
            if (pieces.isEmpty() || piece.readableBytes() >= SHORT) {
                pieces.add(piece);
                gathered = null;
            } else {
                gather(piece);
            }
            throttled |= waiting >= HIGH; // until the reader resumes, whatever still comes
            more = !throttled;
            toWake = wake;
        }
        run(toWake);
        return more;
    }

    /// Copies a short piece behind one that waits: it may keep a whole receive buffer.
    private void gather(Buffer piece) {
        try (piece) {
            Buffer to = gathered;
            if (to == null || to.writableBytes() < piece.readableBytes()) {
                to = BufferAllocator.pooled().allocate(GATHERED);
                gathered = to;
                pieces.add(to);
            }
            to.writeBytes(piece);
        }
    }

    void end(Headers fields) {
        Runnable toWake;
        synchronized (this) {
            ended = true;
            trailers = fields;
            toWake = wake;
        }
        run(toWake);
    }

    /// The body is not whole. Pieces that arrived before are read first.
    void fail(HttpClientException cause) {
        Runnable toWake;
        synchronized (this) {
            if (ended || failure != null) {
                return;
            }
            failure = cause;
            toWake = wake;
        }
        run(toWake);
    }

    private static void run(@Nullable Runnable task) {
        if (task != null) {
            task.run();
        }
    }

    // ---- the reader ----

    @Override
    public void onWake(Runnable task) {
        synchronized (this) {
            wake = task;
        }
    }

    @Override
    public Step read(Buffer out) throws HttpClientException {
        boolean resume;
        Step step;
        synchronized (this) {
            Buffer piece;
            while (out.writableBytes() > 0 && (piece = pieces.peek()) != null) {
                int length = Math.min(out.writableBytes(), piece.readableBytes());
                out.writeBytes(piece, length);
                taken(piece, length);
            }
            step = step(out.isReadable());
            resume = resumes();
        }
        if (resume) {
            flow.resume();
        }
        return step;
    }

    @Override
    public @Nullable Buffer take(int most) {
        boolean resume;
        Buffer taken;
        synchronized (this) {
            Buffer piece = pieces.peek();
            if (piece == null) {
                return null;
            }
            int length = Math.min(most, piece.readableBytes());
            gathered = piece == gathered ? null : gathered; // the taker may write to it
            taken = length == piece.readableBytes() ? pieces.remove() : piece.split(length);
            waiting -= length;
            resume = resumes();
        }
        if (resume) {
            flow.resume();
        }
        return taken;
    }

    private void taken(Buffer piece, int length) {
        waiting -= length;
        if (!piece.isReadable()) {
            pieces.remove();
            piece.release();
            gathered = piece == gathered ? null : gathered;
        }
    }

    private Step step(boolean read) throws HttpClientException {
        if (!pieces.isEmpty()) {
            return Step.MORE;
        }
        if (failure != null && !read) {
            throw failure;
        }
        if (failure != null) {
            return Step.MORE;
        }
        return ended || closed ? Step.END : Step.WAIT;
    }

    private boolean resumes() {
        boolean resume = throttled && waiting < LOW;
        throttled &= !resume;
        return resume;
    }

    @Override
    public Headers trailers() {
        synchronized (this) {
            return trailers;
        }
    }

    @Override
    public void close() {
        close(null);
    }

    /// Gives the body up while another thread may wait for it.
    ///
    /// @param why what a reader fails with that has not read everything; null if the reader itself
    ///     closes
    void close(@Nullable HttpClientException why) {
        boolean unfinished;
        Runnable toWake;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            toWake = why == null ? null : wake;
            wake = null;
            waiting = 0;
            unfinished = !ended && failure == null;
            if (failure == null && (unfinished || !pieces.isEmpty())) {
                failure = why;
            }
            pieces.forEach(Buffer::release);
            pieces.clear();
            gathered = null;
        }
        if (unfinished) {
            flow.discard();
        }
        run(toWake);
    }
}
