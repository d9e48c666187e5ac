package io.weft.http.grpc;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The body of one direction of a call: messages that a thread writes, which waits while many of
/// them were not taken.
///
/// **Threads.** The wire's loop takes; one thread at a time writes; any may [#end].
final class MessageWriter implements BodySource {
    private static final GrpcFrameEncoder FRAMES = new GrpcFrameEncoder();

    private final int most;

    /// Run once if the wire gives the body up before its end.
    private final Runnable abandoned;

    // ---- under this object's lock ----

    private final ArrayDeque<Buffer> pieces = new ArrayDeque<>();
    private long pending;
    private boolean ended;
    private boolean endTaken;
    private boolean closed;
    private Headers trailers = Headers.EMPTY;
    private @Nullable Runnable wake;

    /// @param most bytes that may wait before a writer does
    MessageWriter(int most, Runnable abandoned) {
        this.most = most;
        this.abandoned = abandoned;
    }

    // ---- the writer ----

    /// Writes a message, and waits while too much waits to be taken.
    ///
    /// @param coding what it is compressed by
    /// @return false when nothing more is taken, since the call is over
    /// @throws InterruptedException the message is out, or waits, all the same
    <M> boolean write(M message, Marshaller<? super M> marshaller, GrpcCoding coding)
            throws InterruptedException {
        try (Output out = new Output()) {
            FRAMES.encode(frame(message, marshaller, coding), out);
            Runnable toWake;
            synchronized (this) {
                if (closed || ended) {
                    return false;
                }
                for (Buffer piece; (piece = out.next()) != null; ) {
                    pending += piece.readableBytes();
                    pieces.add(piece);
                }
                toWake = wake;
            }
            run(toWake);
        }
        synchronized (this) {
            while (pending >= most && !closed && !ended) {
                wait();
            }
            return !closed;
        }
    }

    private static <M> GrpcFrame frame(
            M message, Marshaller<? super M> marshaller, GrpcCoding coding) {
        Buffer bytes;
        try (Output out = new Output()) {
            marshaller.encode(message, out);
            bytes = whole(out);
        }
        return switch (coding) {
            case IDENTITY -> new GrpcFrame(false, bytes);
            case GZIP -> new GrpcFrame(true, coding.compress(bytes));
        };
    }

    private static Buffer whole(Output out) {
        Buffer all = BufferAllocator.pooled().allocate(Math.toIntExact(out.size()));
        out.drain(
                piece -> {
                    try (piece) {
                        all.writeBytes(piece);
                    }
                });
        return all;
    }

    /// Ends the body behind what was written. Again without effect.
    void end(Headers fields) {
        Runnable toWake;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            trailers = fields;
            notifyAll();
            toWake = wake;
        }
        run(toWake);
    }

    private static void run(@Nullable Runnable task) {
        if (task != null) {
            task.run();
        }
    }

    private void release() {
        pieces.forEach(Buffer::release);
        pieces.clear();
        pending = 0;
        notifyAll();
    }

    // ---- the wire ----

    @Override
    public synchronized void onWake(Runnable task) {
        wake = task;
    }

    @Override
    public synchronized Step read(Buffer out) {
        while (out.writableBytes() > 0) {
            Buffer piece = pieces.peek();
            if (piece == null) {
                break;
            }
            int length = Math.min(out.writableBytes(), piece.readableBytes());
            out.writeBytes(piece, length);
            pending -= length;
            if (!piece.isReadable()) {
                pieces.remove().release();
            }
        }
        if (pending < most) {
            notifyAll();
        }
        if (!pieces.isEmpty()) {
            return Step.MORE;
        }
        endTaken = ended;
        return ended ? Step.END : Step.WAIT;
    }

    @Override
    public synchronized Headers trailers() {
        return trailers;
    }

    @Override
    public void close() {
        boolean early;
        synchronized (this) {
            early = !closed && !endTaken;
            closed = true;
            wake = null;
            release();
        }
        if (early) {
            abandoned.run();
        }
    }
}
