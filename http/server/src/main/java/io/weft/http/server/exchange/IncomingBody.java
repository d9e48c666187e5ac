package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.http.model.BodySource;
import io.weft.http.model.BodyTooLongException;
import io.weft.http.model.Headers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The body of a request as a stream, between the loop that receives it and the handler that reads
/// it, on the loop or on a thread of its own.
///
/// It holds 64 KiB and a receive at most. When it is full the wire stops, until half of that has
/// been read; the first read tells the wire too, which may have to ask the client for the body.
final class IncomingBody implements BodySource {
    /// Bytes at which the wire stops.
    static final int FULL = 64 << 10;

    /// Bytes that were read, after which a wire hears of it that meters them.
    private static final int METERED = 16 << 10;

    private final ExchangeWire wire;
    private final boolean metered;
    private final long limit;
    private final ArrayDeque<Buffer> pieces = new ArrayDeque<>();

    // Guarded by this object:
    private int size;
    private long received;

    /// Bytes that the reader has done with, and the wire was not told of.
    private int read;

    /// Bytes that came when the handler wanted no more. They end as a full body does, with the wire
    /// stopped.
    private long dropped;

    private boolean full;
    private boolean asked;
    private boolean waiting;
    private boolean ended;
    private boolean closed;
    private Headers trailers = Headers.EMPTY;
    private @Nullable IOException failure;
    private @Nullable Runnable wake;

    /// @param limit bytes, at most
    IncomingBody(ExchangeWire wire, long limit) {
        this.wire = wire;
        this.metered = wire.metersBody();
        this.limit = limit;
    }

    // ---- the wire's side, on the loop ----

    /// Takes a piece, which is released. The rest that a waiting reader does not take at once is
    /// copied: a handler that reads slowly must not hold receive buffers.
    void add(Buffer piece) {
        Runnable waiter = null;
        boolean lent = false;
        try {
            synchronized (this) {
                received += piece.readableBytes();
                if (received > limit) {
                    waiter = fail(new BodyTooLongException(limit, this));
                } else if (closed) {
                    dropped += piece.readableBytes();
                    full = dropped >= FULL;
                } else if (failure == null) {
                    waiter = takeWaiter();
                    lent = waiter != null;
                    pieces.add(lent ? piece : copy(piece));
                    size += piece.readableBytes();
                    full |= size >= FULL;
                }
            }
            run(waiter);
        } finally {
            if (!lent) {
                piece.release();
            } else {
                keep(piece);
            }
        }
    }

    private Buffer copy(Buffer piece) {
        int length = piece.readableBytes();
        Buffer copy = wire.allocator().allocate(length).writeOffset(length);
        return copy.setBytes(0, piece, piece.readOffset(), length);
    }

    /// Copies what the reader has left of a piece that stands in the queue itself.
    private synchronized void keep(Buffer piece) {
        if (pieces.peekFirst() == piece) {
            Buffer copy = copy(piece);
            pieces.removeFirst();
            pieces.addFirst(copy);
            piece.release();
        }
    }

    /// The body is whole.
    void end(Headers behind) {
        Runnable waiter;
        synchronized (this) {
            ended = true;
            trailers = behind;
            waiter = takeWaiter();
        }
        run(waiter);
    }

    /// The rest of the body will not come.
    ///
    /// @return false if the handler learns of it only when it reads: it neither waits for more, nor
    ///     has it closed the body, nor is that whole
    boolean cutOff(IOException cause) {
        Runnable waiter;
        boolean done;
        synchronized (this) {
            done = ended || closed;
            waiter = ended ? null : fail(cause);
        }
        run(waiter);
        return done || waiter != null;
    }

    /// The handler may read no more. A reader that waits is woken, and its read fails.
    void giveUp() {
        run(shut());
    }

    /// Returns how many bytes the reader has done with since the last call.
    synchronized int takeRead() {
        int done = read;
        read = 0;
        return done;
    }

    /// Tells if the wire should stop.
    synchronized boolean isFull() {
        return full;
    }

    /// Tells if the body is longer than its limit.
    synchronized boolean isTooLong() {
        return received > limit;
    }

    /// Tells if the handler wants no more of it.
    synchronized boolean isClosed() {
        return closed;
    }

    private @Nullable Runnable fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        release();
        return takeWaiter();
    }

    private @Nullable Runnable takeWaiter() {
        boolean waits = waiting;
        waiting = false;
        return waits ? wake : null;
    }

    private static void run(@Nullable Runnable waiter) {
        if (waiter != null) {
            waiter.run();
        }
    }

    private void release() {
        pieces.forEach(Buffer::release);
        pieces.clear();
        read += size;
        size = 0;
        full = false;
    }

    // ---- the handler's side, on any thread ----

    @Override
    public Step read(Buffer out) throws IOException {
        boolean tell;
        Step step;
        synchronized (this) {
            if (failure != null) {
                // A new one: this may be another thread at another time.
                throw failure instanceof BodyTooLongException
                        ? new BodyTooLongException(limit, this)
                        : new IOException(failure.getMessage(), failure);
            }
            if (closed) {
                throw new IOException("the body is closed (expected: read before the answer)");
            }
            int before = size;
            move(out);
            tell = tells();
            step = size > 0 || (before > 0 && !ended) ? Step.MORE : ended ? Step.END : Step.WAIT;
            waiting = step == Step.WAIT;
        }
        if (tell) {
            tellWire();
        }
        return step;
    }

    @Override
    public @Nullable Buffer take(int most) {
        boolean tell;
        Buffer taken;
        synchronized (this) {
            if (size == 0) {
                return null; // also when it failed, or is closed
            }
            while (!pieces.getFirst().isReadable()) {
                pieces.removeFirst().release();
            }
            Buffer first = pieces.getFirst();
            int length = Math.min(most, first.readableBytes());
            taken = length == first.readableBytes() ? pieces.removeFirst() : first.split(length);
            size -= length;
            read += length;
            tell = tells();
        }
        if (tell) {
            tellWire();
        }
        return taken;
    }

    /// Tells if the wire is to hear that some of the body was read.
    private boolean tells() {
        boolean tell = !ended && (!asked || (full && size <= FULL / 2));
        asked = true;
        full &= size > FULL / 2;
        return tell || (metered && (read >= METERED || (read > 0 && size == 0)));
    }

    private void move(Buffer out) {
        while (size > 0 && out.writableBytes() > 0) {
            Buffer piece = pieces.getFirst();
            int length = Math.min(out.writableBytes(), piece.readableBytes());
            out.writeBytes(piece, length);
            size -= length;
            read += length;
            if (!piece.isReadable()) {
                pieces.removeFirst().release();
            }
        }
    }

    @Override
    public synchronized void onWake(Runnable runnable) {
        wake = runnable;
    }

    @Override
    public boolean mayWait() {
        return !wire.eventLoop().inLoop();
    }

    @Override
    public synchronized Headers trailers() {
        return trailers;
    }

    @Override
    public void close() {
        Runnable _ = shut(); // the reader's own, which waits no longer
    }

    /// @return the wake-up of a reader that waits
    private @Nullable Runnable shut() {
        boolean tell;
        Runnable waiter;
        synchronized (this) {
            boolean first = !closed && failure == null;
            closed = true;
            waiter = takeWaiter();
            release();
            tell = first && (!ended || (metered && read > 0));
        }
        if (tell) {
            tellWire();
        }
        return waiter;
    }

    /// In a task of its own: a reader does not expect more to come within its read.
    private void tellWire() {
        try {
            wire.eventLoop().executeUnbounded(() -> wire.guarded(wire::bodyWanted));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }
}
