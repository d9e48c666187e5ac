package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Input of a connection on its way from the port's loop to the channel's. All of it is under its
/// own lock.
final class Inflow {
    private static final int FIRST_PIECE = 2 << 10;
    private static final int PIECE = 16 << 10;

    /// Counted for each buffer besides its bytes, so that many short messages fill the window too.
    private static final int OVERHEAD = 128;

    private final long half;
    private final ArrayDeque<Buffer> arrived = new ArrayDeque<>(0);

    /// The last buffer has room, and was filled here.
    private boolean open;

    private long bytes;
    private boolean ended;
    private @Nullable IOException failure;
    private boolean roomMade;
    private boolean closed;

    /// @param half bytes below which the sender is told that there is room again
    Inflow(long half) {
        this.half = half;
    }

    // ---- the port's loop ----

    /// Appends a copy, in as few buffers as can be.
    ///
    /// @return false without memory
    synchronized boolean copy(Buffer from, int index, int length) {
        if (closed) {
            return true;
        }
        Buffer last = open ? arrived.peekLast() : null;
        if (last == null || last.writableBytes() < length) {
            try {
                int size = arrived.isEmpty() ? FIRST_PIECE : PIECE;
                last = BufferAllocator.pooled().allocate(Math.max(size, length));
            } catch (MemoryLimitException | OutOfMemoryError e) {
                return false;
            }
            arrived.add(last);
            bytes += OVERHEAD;
            open = true;
        }
        int at = last.writeOffset();
        last.setBytes(at, from, index, length).writeOffset(at + length);
        bytes += length;
        return true;
    }

    synchronized void add(Buffer buffer) {
        if (closed) {
            buffer.release();
            return;
        }
        arrived.add(buffer);
        open = false;
        bytes += OVERHEAD + buffer.readableBytes();
    }

    synchronized void end() {
        ended = true;
    }

    /// The first cause counts.
    synchronized void broken(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    // ---- the channel's loop ----

    synchronized long bytes() {
        return bytes;
    }

    synchronized boolean hasNews() {
        return !arrived.isEmpty() || ended || failure != null;
    }

    /// Tells if the peer has ended its output, and all of it was taken. An end that came behind a
    /// failure is none.
    synchronized boolean isEnded() {
        return ended && arrived.isEmpty();
    }

    /// Returns the reason why nothing more comes, once all that came before was taken.
    synchronized @Nullable IOException failure() {
        return arrived.isEmpty() ? failure : null;
    }

    synchronized @Nullable Buffer take() {
        Buffer next = arrived.poll();
        if (next != null) {
            long before = bytes;
            bytes -= OVERHEAD + next.readableBytes();
            roomMade |= before >= half && bytes < half;
            open &= !arrived.isEmpty();
        }
        return next;
    }

    /// Tells, once, that so much was taken that the peer may send again.
    synchronized boolean takeRoomMade() {
        boolean made = roomMade;
        roomMade = false;
        return made;
    }

    /// Throws away what has come.
    ///
    /// @return whether there was something
    boolean clear() {
        List<Buffer> dropped;
        synchronized (this) {
            dropped = new ArrayList<>(arrived);
            arrived.clear();
            bytes = 0;
            open = false;
        }
        dropped.forEach(Buffer::release);
        return !dropped.isEmpty();
    }

    /// Takes nothing more.
    ///
    /// @return whether there was something left
    boolean close() {
        synchronized (this) {
            closed = true;
        }
        return clear();
    }
}
