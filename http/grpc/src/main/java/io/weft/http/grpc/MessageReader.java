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
    private final Object reading = new Object();

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

    /// Makes the reads that follow, or wait, throw `cause`.
    synchronized void fail(GrpcException cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    /// Waits for the next message.
    ///
    /// @return null at the end
    /// @throws GrpcException when the body is no sequence of messages, or was failed
    /// @throws IOException when it breaks
    <M> @Nullable M read(Marshaller<M> marshaller) throws IOException, InterruptedException {
        synchronized (reading) {
            GrpcFrame frame;
            try {
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
        synchronized (reading) {
            return compressed;
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
        synchronized (reading) {
            closed = true;
            bytes.release();
            frames.forEach(frame -> frame.bytes().release());
            frames.clear();
            decoder.close();
        }
        source.close();
    }
}
