package io.weft.http.grpc;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.http.model.BodySource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The messages of one direction of a call, for the thread that waits for them. What it does not
/// read stays with the peer.
///
/// **Threads.** One at a time reads; any may [#fail].
final class MessageReader {
    private static final int PIECE = 16 << 10;

    private final BodySource source;
    private final int maxBytes;
    private final GrpcCoding coding;
    private final GrpcFrameDecoder decoder;

    /// Held while a thread reads: guards what follows.
    private final ReentrantLock reading = new ReentrantLock();

    private final Cumulation bytes = new Cumulation();
    private final ArrayDeque<GrpcFrame> frames = new ArrayDeque<>();
    private boolean ended;
    private boolean closed;
    private boolean compressed;

    // ---- under this object's lock ----

    private boolean woken;
    private @Nullable GrpcException failure;

    MessageReader(BodySource source, GrpcCoding coding, GrpcLimits limits) {
        this.source = source;
        this.coding = coding;
        this.maxBytes = limits.messageBytes();
        this.decoder = new GrpcFrameDecoder(maxBytes);
        try {
            source.onWake(this::wake);
        } catch (RuntimeException e) {
            throw new IllegalStateException("body: read by another (expected: one reader)", e);
        }
    }

    private synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /// Makes the reads that follow, or wait, throw `cause`, and gives up what was received. Does
    /// not wait for a thread that reads.
    void fail(GrpcException cause) {
        synchronized (this) {
            if (failure == null) {
                failure = cause;
            }
            notifyAll();
        }
        discard();
    }

    private synchronized boolean isFailed() {
        return failure != null;
    }

    /// Gives up what was received, unless a thread reads: that does it when it leaves.
    private void discard() {
        if (reading.tryLock()) {
            try {
                release();
            } finally {
                reading.unlock();
            }
        }
    }

    /// Waits for the next message.
    ///
    /// @return null at the end
    /// @throws GrpcException when the body is no sequence of messages, or was failed
    /// @throws IOException when it breaks
    <M> @Nullable M read(Marshaller<M> marshaller) throws IOException, InterruptedException {
        reading.lock();
        try {
            GrpcFrame frame;
            while ((frame = next()) == null) {
                if (ended) {
                    return null;
                }
                fill();
            }
            compressed = frame.compressed();
            try (Buffer message = expanded(frame)) {
                return marshaller.decode(message);
            }
        } catch (LimitExceededException e) {
            throw new GrpcException(GrpcCode.RESOURCE_EXHAUSTED, text(e), e);
        } catch (DecoderException e) {
            throw new GrpcException(GrpcCode.INTERNAL, text(e), e);
        } catch (MemoryLimitException e) {
            GrpcException end = GrpcException.noMemory(e);
            fail(end); // part of the body may be lost, so that no more can be read
            throw end;
        } finally {
            reading.unlock();
            // Looked at behind the unlock: whoever fails the reads later gets the lock.
            if (isFailed()) {
                discard();
            }
        }
    }

    private static String text(Throwable t) {
        return String.valueOf(t.getMessage());
    }

    private @Nullable GrpcFrame next() {
        check();
        return frames.poll();
    }

    private void check() {
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /// Tells if the message that was read last was compressed.
    boolean wasCompressed() {
        reading.lock();
        try {
            return compressed;
        } finally {
            reading.unlock();
            if (isFailed()) {
                discard();
            }
        }
    }

    private void fill() throws IOException, InterruptedException {
        if (closed) {
            throw new GrpcException(GrpcCode.CANCELLED, "the call is closed");
        }
        synchronized (this) {
            woken = false;
        }
        BodySource.Step step;
        Buffer piece = BufferAllocator.pooled().allocate(PIECE);
        try {
            step = source.read(piece);
        } catch (Throwable t) {
            piece.release();
            throw t;
        }
        boolean some = piece.isReadable();
        if (some) {
            try {
                decoder.decode(bytes.add(piece), frames::add);
            } finally {
                bytes.trim();
            }
        } else {
            piece.release();
        }
        if (step == BodySource.Step.END) {
            ended = true;
            decoder.end(frames::add);
        } else if (step == BodySource.Step.WAIT && !some) {
            await();
        }
    }

    private synchronized void await() throws InterruptedException {
        while (!woken && failure == null) {
            wait();
        }
    }

    private Buffer expanded(GrpcFrame frame) {
        if (!frame.compressed()) {
            return frame.bytes();
        }
        if (coding == GrpcCoding.IDENTITY) {
            frame.bytes().release();
            throw new GrpcException(
                    GrpcCode.INTERNAL, "compressed flag: 1 (expected: 0 without grpc-encoding)");
        }
        return coding.expand(frame.bytes(), maxBytes);
    }

    /// Gives up what was received, and the source.
    void close() {
        fail(new GrpcException(GrpcCode.CANCELLED, "the call is closed"));
        reading.lock(); // the source is not to be closed while it is read
        try {
            release();
        } finally {
            reading.unlock();
        }
        source.close();
    }

    private void release() {
        closed = true;
        bytes.release();
        frames.forEach(frame -> frame.bytes().release());
        frames.clear();
        decoder.close();
    }
}
