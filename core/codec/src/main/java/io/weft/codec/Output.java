package io.weft.codec;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
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

    /// All small pieces, between which large ones stand: one buffer, which is cut when it is handed
    /// over.
    private @Nullable Buffer tail;

    /// Large buffers with small pieces behind them.
    private @Nullable Cuts cuts;

    /// A large buffer behind everything else.
    private @Nullable Buffer last;

    /// State before further output, for [Output#rollback].
    ///
    /// @param large buffers that travel as they are
    /// @param small bytes of all others
    public record Mark(int large, int small) {}

    public Output() {}

    /// A buffer to write to, with room for `room` bytes and growing beyond. It stays the output's,
    /// and may be used until the next call of any method here. What is in it already must not be
    /// touched.
    public Buffer buffer(int room) {
        if (last != null) {
            cut();
        }
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
        if (bytes.readableBytes() <= MAX_COPIED) {
            try {
                buffer(bytes.readableBytes()).writeBytes(bytes);
            } finally {
                bytes.release();
            }
            return;
        }
        if (last != null) {
            cut();
        }
        last = bytes;
    }

    /// Makes room behind the last large buffer.
    private void cut() {
        Buffer large = last;
        Cuts all = cuts;
        if (all == null) {
            all = new Cuts();
            cuts = all;
        }
        if (large != null) {
            all.add(smallBytes(), large);
            last = null;
        }
    }

    private int smallBytes() {
        return tail == null ? 0 : tail.readableBytes();
    }

    /// Bytes waiting here.
    public long size() {
        long size = smallBytes();
        size += cuts == null ? 0 : cuts.largeBytes();
        return size + (last == null ? 0 : last.readableBytes());
    }

    /// Returns the state that [#rollback] goes back to.
    public Mark mark() {
        return new Mark((cuts == null ? 0 : cuts.count()) + (last == null ? 0 : 1), smallBytes());
    }

    /// Forgets what was added since `mark`.
    public void rollback(Mark mark) {
        int before = cuts == null ? 0 : cuts.count();
        if (last != null && before >= mark.large) {
            last.release();
            last = null;
        }
        if (cuts != null) {
            cuts.truncate(mark.large);
        }
        if (tail != null) {
            tail.writeOffset(tail.readOffset() + Math.min(mark.small, tail.readableBytes()));
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
        Buffer small = tail;
        if (cuts != null && cuts.count() > 0) {
            int length = cuts.takeSmall();
            return small == null || length == 0 ? cuts.takeLarge() : small.split(length);
        }
        if (small != null) {
            tail = null;
            if (small.isReadable()) {
                return small;
            }
            small.release();
        }
        Buffer large = last;
        last = null;
        return large;
    }

    /// Releases everything.
    @Override
    public void close() {
        if (tail != null) {
            tail.release();
            tail = null;
        }
        if (cuts != null) {
            cuts.truncate(0);
        }
        if (last != null) {
            last.release();
            last = null;
        }
    }
}
