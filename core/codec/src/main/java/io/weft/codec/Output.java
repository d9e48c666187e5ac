package io.weft.codec;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Bytes on their way out, as a sequence of buffers: small pieces are gathered in one, large ones
/// travel as they are.
///
/// **Ownership.** The buffers are the output's until [#drain] gives them away.
///
/// **Threads.** One at a time.
public final class Output implements AutoCloseable {
    /// Buffers up to this size are copied behind what is there: a buffer of their own costs more.
    private static final int MAX_COPIED = 512;

    private static final int INITIAL = 256;

    private final ArrayDeque<Buffer> whole = new ArrayDeque<>(2);

    /// The last buffer, which is written to.
    private @Nullable Buffer tail;

    /// State before further output, for [Output#rollback].
    ///
    /// @param whole buffers before the last
    /// @param tail bytes in the last
    public record Mark(int whole, int tail) {}

    public Output() {}

    /// A buffer to write to, with room for `room` bytes and growing beyond. It stays the output's,
    /// and may be used until the next call of any method here. What is in it already must not be
    /// touched.
    public Buffer buffer(int room) {
        Buffer b = tail;
        if (b == null) {
            b = BufferAllocator.pooled().allocate(Math.max(INITIAL, room));
            tail = b;
        } else if (b.writableBytes() < room) {
            b.ensureWritable(room);
        }
        return b;
    }

    /// Appends the readable bytes of `bytes`, which becomes the output's.
    public void add(Buffer bytes) {
        Buffer b = tail;
        if (bytes.readableBytes() <= MAX_COPIED) {
            try {
                buffer(bytes.readableBytes()).writeBytes(bytes);
            } finally {
                bytes.release();
            }
            return;
        }
        if (b != null) {
            whole.add(b);
            tail = null;
        }
        whole.add(bytes);
    }

    /// Bytes waiting here.
    public long size() {
        long size = tail == null ? 0 : tail.readableBytes();
        for (Buffer b : whole) {
            size += b.readableBytes();
        }
        return size;
    }

    /// Returns the state that [#rollback] goes back to.
    public Mark mark() {
        return new Mark(whole.size(), tail == null ? 0 : tail.readableBytes());
    }

    /// Forgets what was added since `mark`.
    public void rollback(Mark mark) {
        Buffer last = tail;
        while (whole.size() > mark.whole) {
            if (last != null) {
                last.release();
            }
            last = whole.removeLast();
        }
        tail = last;
        if (last != null) {
            last.writeOffset(last.readOffset() + Math.min(mark.tail, last.readableBytes()));
        }
    }

    /// Hands over all buffers, in order; empty ones are dropped. What `to` adds here comes behind
    /// them.
    public void drain(Consumer<? super Buffer> to) {
        for (Buffer b; (b = next()) != null; ) {
            to.accept(b);
        }
    }

    /// The next buffer, which is the caller's; null at the end.
    public @Nullable Buffer next() {
        Buffer b;
        do {
            b = whole.poll();
            if (b == null) {
                b = tail;
                tail = null;
            }
            if (b != null && !b.isReadable()) {
                b.release();
                continue;
            }
            return b;
        } while (true);
    }

    /// Releases everything.
    @Override
    public void close() {
        for (Buffer b; (b = next()) != null; ) {
            b.release();
        }
    }
}
