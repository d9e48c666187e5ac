package io.weft.http.http2;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Frames that are to be written to a channel: small ones gathered in buffers, large payloads
/// between those as they are. Thread: the connection's.
public final class OutgoingFrames implements FrameOutput {
    /// Bytes of content in a frame that is, with its header, a record of TLS.
    public static final int PIECE = (16 << 10) - FrameType.HEADER;

    /// Bytes that are enough for a write; fewer wait for the end of a batch of events.
    public static final int FULL = 32 << 10;

    private static final int FIRST = 512;

    /// Bytes of a buffer, at most, unless a frame is larger.
    private static final int BLOCK = FrameType.HEADER + PIECE;

    /// Bytes of a payload that are worth a frame in the rest of a buffer.
    private static final int LEAST = 4 << 10;

    /// Bytes of frames that are moved, at most, so that others follow in the same buffer.
    private static final int MOVED = 2 << 10;

    private static final int PLACES = 8;

    /// Places that are kept for the next batch.
    private static final int KEPT = 16;

    private static final @Nullable Buffer[] NONE = {};

    private final Supplier<BufferAllocator> allocator;

    /// The last frames; null when none are gathered.
    private @Nullable Buffer gathered;

    /// The buffers before those, from `next` on.
    private @Nullable Buffer[] ready = NONE;

    private int next;
    private int end;
    private int readyBytes;

    /// Gathered and not last.
    private int sealed;

    /// As large as the last batch was, so that the same batch again never grows.
    private int expected = FIRST;

    /// @param allocator returns that of the channel
    public OutgoingFrames(Supplier<BufferAllocator> allocator) {
        this.allocator = allocator;
    }

    /// Returns a buffer for a piece of content that [Http2Stream#frame] sends, with room for the
    /// header before it.
    ///
    /// @param length bytes of content; the buffer has room for [#PIECE] of them at most
    public static Buffer piece(BufferAllocator allocator, int length) {
        int capacity = FrameType.HEADER + Math.min(length, PIECE);
        return allocator
                .allocate(capacity)
                .writeOffset(FrameType.HEADER)
                .readOffset(FrameType.HEADER);
    }

    /// Returns the number of bytes that wait here.
    public int bytes() {
        return readyBytes + (gathered == null ? 0 : gathered.readableBytes());
    }

    @Override
    public Buffer buffer() {
        Buffer buffer = gathered;
        if (buffer == null) {
            buffer = allocator.get().allocate(expected);
            gathered = buffer;
        }
        return buffer;
    }

    @Override
    public Buffer buffer(int length) {
        Buffer buffer = gathered;
        if (buffer != null && buffer.writableBytes() < length) {
            if (buffer.readableBytes() <= MOVED) {
                return buffer.ensureWritable(length);
            }
            seal();
            expected = Math.min(BLOCK, 2 * buffer.capacity());
            buffer = null;
        }
        if (buffer == null) {
            buffer = allocator.get().allocate(Math.max(expected, length));
            gathered = buffer;
        }
        return buffer;
    }

    @Override
    public int room() {
        int left = (gathered == null ? expected : gathered.writableBytes()) - FrameType.HEADER;
        return left < LEAST ? PIECE : Math.min(left, PIECE);
    }

    @Override
    public void append(Buffer bytes) {
        try {
            seal();
            add(bytes);
        } catch (Throwable t) {
            bytes.release();
            throw t;
        }
    }

    /// Has what is written from now on begin in another buffer.
    private void seal() {
        Buffer buffer = gathered;
        if (buffer != null) {
            add(buffer);
            sealed += buffer.readableBytes();
            gathered = null;
        }
    }

    private void add(Buffer bytes) {
        if (end == ready.length) {
            ready = Arrays.copyOf(ready, Math.max(PLACES, end * 2));
        }
        ready[end++] = bytes;
        readyBytes += bytes.readableBytes();
    }

    /// Hands everything to `channel`, which takes it over. What is written meanwhile follows.
    ///
    /// @return whether there was anything
    public boolean drainTo(Consumer<Buffer> channel) {
        Buffer last = gathered;
        int batch = sealed + (last == null ? 0 : last.readableBytes());
        expected = Math.clamp(batch, Math.max(FIRST, expected / 2), BLOCK);
        if (next == end) {
            if (last == null) {
                return false;
            }
            sealed = 0;
            gathered = null;
            channel.accept(last);
            return true;
        }
        seal();
        sealed = 0;
        while (next < end) {
            Buffer bytes = take();
            if (bytes != null) {
                channel.accept(bytes);
            }
        }
        next = 0;
        end = 0;
        if (ready.length > KEPT) {
            ready = NONE;
        }
        return true;
    }

    private @Nullable Buffer take() {
        Buffer bytes = ready[next];
        ready[next++] = null;
        readyBytes -= bytes == null ? 0 : bytes.readableBytes();
        return bytes;
    }

    /// Gives everything up: the connection has ended.
    public void release() {
        boolean _ = drainTo(Buffer::release);
    }
}
