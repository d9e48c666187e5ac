package io.weft.codec;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import org.jspecify.annotations.Nullable;

/// The bytes that a decoder has not used yet, with what arrived since behind them.
///
/// Bytes are copied only when a decoder leaves some of them: then the rest, into a buffer of their
/// size, so that a receive buffer is never held for a few bytes and an idle connection holds
/// nothing. Fed byte by byte it copies each byte a constant number of times on average, because the
/// buffer doubles.
///
/// Bytes already read are never moved over: parts of the buffer may belong to others by `split`.
public final class Cumulation {
    private @Nullable Buffer bytes;

    /// True if `bytes` is a copy made here, which may be appended to, rather than a receive buffer.
    private boolean own;

    /// Without bytes.
    public Cumulation() {}

    /// Takes `in`, which is the cumulation's from now on.
    ///
    /// @return what a decoder should read: it stays the cumulation's
    public Buffer add(Buffer in) {
        Buffer before = bytes;
        if (before == null) {
            bytes = in;
            own = false;
            return in;
        }
        try {
            Buffer target = roomFor(before, in.readableBytes());
            target.writeBytes(in);
            return target;
        } finally {
            in.release();
        }
    }

    private Buffer roomFor(Buffer before, int more) {
        if (own && more <= before.writableBytes()) {
            return before;
        }
        int readable = before.readableBytes();
        // Twice as much, whatever the size: by less, one long message would be copied once a
        // receive.
        long doubled = Math.min(2L * readable, BufferAllocator.MAX_CAPACITY);
        Buffer larger = copy(before, (int) Math.max(doubled, Math.addExact(readable, more)));
        bytes = larger;
        return larger;
    }

    private Buffer copy(Buffer from, int capacity) {
        Buffer to = BufferAllocator.pooled().allocate(capacity);
        to.writeBytes(from);
        from.release();
        own = true;
        return to;
    }

    /// Returns the bytes to decode; null when there are none.
    public @Nullable Buffer bytes() {
        return bytes;
    }

    /// Takes the bytes to decode, which become the caller's; null when there are none.
    public @Nullable Buffer take() {
        Buffer b = bytes;
        bytes = null;
        return b;
    }

    /// Returns the number of bytes that wait.
    public int size() {
        return bytes == null ? 0 : bytes.readableBytes();
    }

    /// To be called after decoding: gives up what was read.
    public void trim() {
        Buffer b = bytes;
        if (b == null) {
            return;
        }
        if (!b.isReadable()) {
            b.release();
            bytes = null;
        } else if (!own) {
            bytes = copy(b, b.readableBytes());
        }
    }

    /// Gives up everything.
    public void release() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}
