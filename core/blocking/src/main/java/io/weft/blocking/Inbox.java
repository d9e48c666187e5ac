package io.weft.blocking;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The hand-over of received data from the loop to the reading thread.
///
/// It holds copies of their own size. A receive buffer goes back at once, since a ring has few of
/// them for all connections, and a thread may leave its input unread for as long as it likes. Above
/// [#LIMIT] the channel stops receiving.
final class Inbox {
    static final int LIMIT = 64 << 10;

    private final ArrayDeque<Buffer> arrived = new ArrayDeque<>(2);
    private final Waiter reader = new Waiter();
    private int held;
    private boolean full;
    private boolean ended;
    private @Nullable IOException failure;

    // ---- the loop ----

    /// Takes `bytes` over.
    ///
    /// @return true when that is enough for now, until [#take] says that there is room again
    boolean add(Buffer bytes) {
        boolean enough;
        try (bytes) {
            int length = bytes.readableBytes();
            Buffer copy = BufferAllocator.pooled().allocate(length).writeBytes(bytes);
            enough = add(copy, length);
        }
        reader.wake();
        return enough;
    }

    private synchronized boolean add(Buffer copy, int length) {
        if (ended || failure != null) {
            copy.release();
            return false;
        }
        arrived.add(copy);
        held += length;
        if (held > LIMIT && !full) {
            full = true;
            return true;
        }
        return false;
    }

    /// The peer will send nothing more.
    void end() {
        synchronized (this) {
            ended = true;
        }
        reader.wake();
    }

    /// The connection is gone. What has arrived may still be read, and an end that was seen before
    /// stays one.
    void fail(IOException cause) {
        synchronized (this) {
            if (failure == null) {
                failure = cause;
            }
        }
        reader.wake();
    }

    // ---- any thread ----

    /// Gives up what has arrived.
    void close(IOException cause) {
        synchronized (this) {
            failure = cause;
            ended = false;
            arrived.forEach(Buffer::release);
            arrived.clear();
        }
        reader.wake();
    }

    // ---- who reads ----

    /// Waits for bytes.
    ///
    /// @param roomAgain called when the channel may receive again
    /// @return null at the end of the input
    @Nullable Buffer take(Duration timeout, Runnable roomAgain)
            throws IOException, InterruptedException {
        if (!reader.await(this::hasNews, timeout)) {
            throw new SocketTimeoutException("read: nothing within " + timeout);
        }
        Buffer taken;
        boolean room;
        synchronized (this) {
            taken = arrived.poll();
            if (taken == null) {
                if (ended || failure == null) {
                    return null;
                }
                throw failure;
            }
            held -= taken.readableBytes();
            room = full && held <= LIMIT / 2;
            full &= !room;
        }
        if (room) {
            roomAgain.run();
        }
        return taken;
    }

    private synchronized boolean hasNews() {
        return !arrived.isEmpty() || ended || failure != null;
    }
}
