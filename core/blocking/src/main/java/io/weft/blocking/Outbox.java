package io.weft.blocking;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The hand-over of buffers from the writing thread to the loop, in order; one task takes all that
/// are there.
///
/// Buffers in flight are bounded by the high watermark: when it is reached, the writer waits until
/// half of them are sent. So the channel's cap is never met.
final class Outbox {
    private enum End {
        NONE,
        SHUTDOWN,
        CLOSE
    }

    private final Channel channel;
    private final long limit;
    private final Waiter writer = new Waiter();
    private final ArrayDeque<Buffer> handed = new ArrayDeque<>(2);

    /// Handed over and not sent yet, in bytes.
    private long pending;

    private boolean posted;
    private End end = End.NONE;
    private @Nullable IOException failure;

    Outbox(Channel channel) {
        this.channel = channel;
        limit = Math.max(channel.options().get(ChannelOption.WRITE_BUFFER_WATER_MARK).high(), 1);
    }

    // ---- who writes ----

    /// Waits until there is room.
    void awaitRoom(Duration timeout) throws IOException, InterruptedException {
        if (!isFull()) {
            return;
        }
        if (!writer.await(this::isHalfEmpty, timeout)) {
            throw new SocketTimeoutException("write: the peer took nothing within " + timeout);
        }
        check();
    }

    private synchronized boolean isFull() {
        return pending >= limit;
    }

    private synchronized boolean isHalfEmpty() {
        return pending <= limit / 2 || failure != null;
    }

    /// @throws IOException when nothing can be written any more
    synchronized void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (end != End.NONE) {
            throw new ClosedChannelException();
        }
    }

    /// Puts `bytes`, which becomes the outbox's, behind what is there.
    ///
    /// @return true while there is room for more
    synchronized boolean add(Buffer bytes) {
        if (failure != null) {
            bytes.release();
            return true;
        }
        pending += bytes.readableBytes();
        handed.add(bytes);
        return pending < limit;
    }

    /// Has the loop take what there is.
    void post() {
        synchronized (this) {
            if (posted) {
                return;
            }
            posted = true;
        }
        try {
            channel.eventLoop().executeUnbounded(this::drain);
        } catch (RejectedExecutionException e) {
            fail(new IOException("the loop has ended", e));
        }
    }

    /// Ends the output behind what is there.
    void shutdown() {
        synchronized (this) {
            if (end == End.NONE) {
                end = End.SHUTDOWN;
            }
        }
        post();
    }

    // ---- any thread ----

    /// Closes the channel behind what is there; a writer that waits hears of it.
    void close(IOException cause) {
        synchronized (this) {
            end = End.CLOSE;
            failure = cause;
        }
        writer.wake();
        post();
    }

    /// Gives up what is there.
    void fail(IOException cause) {
        synchronized (this) {
            if (failure == null) {
                failure = cause;
            }
            handed.forEach(Buffer::release);
            handed.clear();
        }
        writer.wake();
    }

    // ---- the loop ----

    private void drain() {
        Buffer[] batch;
        End now;
        synchronized (this) {
            posted = false;
            batch = handed.toArray(new Buffer[0]);
            handed.clear();
            now = end;
        }
        if (batch.length > 0) {
            send(batch);
        }
        switch (now) {
            case NONE -> {}
            case SHUTDOWN -> channel.shutdownOutput();
            case CLOSE -> {
                var _ = channel.close();
            }
        }
    }

    private void send(Buffer[] batch) {
        long length = 0;
        for (int i = 0; i < batch.length - 1; i++) {
            length += batch[i].readableBytes();
            channel.write(batch[i]);
        }
        Buffer last = batch[batch.length - 1];
        long all = length + last.readableBytes();
        Promise<Void> promise = channel.newPromise();
        promise.addListener(outcome -> sent(all, outcome.cause()));
        channel.writeAndFlush(last, promise);
    }

    private void sent(long bytes, @Nullable Throwable cause) {
        if (cause != null) {
            fail(cause instanceof IOException e ? e : new IOException(cause));
            return;
        }
        boolean wakes;
        synchronized (this) {
            boolean waited = pending > limit / 2;
            pending -= bytes;
            wakes = waited && pending <= limit / 2;
        }
        if (wakes) {
            writer.wake();
        }
    }
}
