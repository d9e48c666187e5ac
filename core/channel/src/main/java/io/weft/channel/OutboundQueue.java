package io.weft.channel;

import io.weft.buffer.Buffer;
import io.weft.channel.spi.Gather;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Buffers that wait to be sent, in order, with the promises of those that have one: first the flushed ones, then those
/// written since.
///
/// A ring of two parallel arrays. What a burst made of them is dropped when it has been sent, so that an idle connection
/// holds next to nothing.
final class OutboundQueue implements Gather {
    /// More buffers than this go to the kernel in several calls; IOV_MAX is 1,024, but the vectors have to live somewhere.
    private static final int MAX_GATHER = 64;

    private static final int INITIAL = 2;
    private static final @Nullable Buffer[] NO_BUFFERS = {};
    private static final @Nullable Promise<?>[] NO_PROMISES = {};

    private @Nullable Buffer[] buffers = NO_BUFFERS;
    private @Nullable Promise<?>[] promises = NO_PROMISES;
    private int head;
    private int size;
    private int flushed;
    private long pendingBytes;

    long pendingBytes() {
        return pendingBytes;
    }

    boolean hasFlushed() {
        return flushed > 0;
    }

    void add(Buffer buffer, @Nullable Promise<Void> promise) {
        if (size == buffers.length) {
            grow();
        }
        int at = (head + size) & (buffers.length - 1);
        buffers[at] = buffer;
        promises[at] = promise;
        size++;
        pendingBytes += buffer.readableBytes();
    }

    private void grow() {
        int capacity = buffers.length == 0 ? INITIAL : buffers.length * 2;
        @Nullable Buffer[] newBuffers = new @Nullable Buffer[capacity];
        @Nullable Promise<?>[] newPromises = new @Nullable Promise<?>[capacity];
        for (int i = 0; i < size; i++) {
            int at = (head + i) & (buffers.length - 1);
            newBuffers[i] = buffers[at];
            newPromises[i] = promises[at];
        }
        buffers = newBuffers;
        promises = newPromises;
        head = 0;
    }

    /// Everything written so far may be sent.
    void flush() {
        flushed = size;
    }

    @Override
    public int count() {
        return Math.min(flushed, MAX_GATHER);
    }

    @Override
    public Buffer buffer(int index) {
        Buffer buffer = buffers[(head + index) & (buffers.length - 1)];
        if (buffer == null) {
            throw new IndexOutOfBoundsException(
                    "index: " + index + " (expected: below count " + count() + ")");
        }
        return buffer;
    }

    /// `bytes` bytes from the front were sent: releases buffers that are done, and keeps their promises.
    void sent(int bytes) {
        pendingBytes -= bytes;
        while (flushed > 0) {
            Buffer buffer = buffer(0);
            int readable = buffer.readableBytes();
            if (readable > bytes) {
                buffer.skipReadable(bytes);
                return;
            }
            bytes -= readable;
            Promise<?> promise = removeFirst();
            flushed--;
            release(buffer);
            if (promise != null) {
                succeed(promise);
            }
        }
        if (size == 0 && buffers.length > INITIAL) {
            buffers = NO_BUFFERS;
            promises = NO_PROMISES;
            head = 0;
        }
    }

    /// One that a handler released although it had given it away keeps no channel from closing.
    private static void release(Buffer buffer) {
        try {
            buffer.release();
        } catch (IllegalStateException e) {
            Log.failure("a buffer was released after it was written", e);
        }
    }

    private @Nullable Promise<?> removeFirst() {
        Promise<?> promise = promises[head];
        buffers[head] = null;
        promises[head] = null;
        head = (head + 1) & (buffers.length - 1);
        size--;
        return promise;
    }

    @SuppressWarnings("unchecked") // only Promise<Void> comes in by add
    private static void succeed(Promise<?> promise) {
        ((Promise<Void>) promise).trySuccess(null);
    }

    /// Gives up what has not been flushed.
    void failUnflushed(Throwable cause) {
        while (size > flushed) {
            int at = (head + size - 1) & (buffers.length - 1);
            Buffer buffer = buffers[at];
            Promise<?> promise = promises[at];
            buffers[at] = null;
            promises[at] = null;
            size--;
            giveUp(buffer, promise, cause);
        }
    }

    /// Gives up everything.
    void fail(Throwable cause) {
        while (size > 0) {
            Buffer buffer = buffers[head];
            giveUp(buffer, removeFirst(), cause);
        }
        flushed = 0;
        buffers = NO_BUFFERS;
        promises = NO_PROMISES;
    }

    private void giveUp(@Nullable Buffer buffer, @Nullable Promise<?> promise, Throwable cause) {
        if (buffer != null) {
            pendingBytes -= buffer.readableBytes();
            release(buffer);
        }
        if (promise != null) {
            promise.tryFailure(cause);
        }
    }
}
