package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.loop.Promise;
import io.weft.tls.machine.Records;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plaintext that waits to be encrypted, in order, with its promises. What is small is put
/// together, so that it fills a record instead of having one each.
final class PendingWrites {
    private record Write(Buffer plaintext, @Nullable Promise<Void> promise) {}

    private static final long LEAST_WEIGHT = 64;

    private final ArrayDeque<Write> queue = new ArrayDeque<>(2);
    private long bytes;

    /// The number of writes, from the front, that have been flushed.
    private int flushed;

    boolean isEmpty() {
        return queue.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    /// The bytes, or 64 for each write if that is more: writes without bytes take memory, too.
    long weight() {
        return Math.max(bytes, LEAST_WEIGHT * queue.size());
    }

    void add(Buffer plaintext, @Nullable Promise<Void> promise) {
        queue.add(new Write(plaintext, promise));
        bytes += plaintext.readableBytes();
    }

    /// Marks all writes that are queued now as flushed.
    void flush() {
        flushed = queue.size();
    }

    private Write remove() {
        flushed = Math.max(0, flushed - 1);
        return queue.remove();
    }

    /// The bytes of the next record or records, which become the caller's, with their promises.
    /// A write of a record or more comes as it is, smaller ones as one copy, if there is memory for
    /// one.
    Next next(BufferAllocator allocator) {
        Write first = remove();
        int length = first.plaintext.readableBytes();
        List<Promise<Void>> promises = new ArrayList<>(1);
        addTo(promises, first);
        Write second = queue.peek();
        if (second == null || length + second.plaintext.readableBytes() > Records.MAX_PLAINTEXT) {
            bytes -= length;
            return new Next(first.plaintext, promises);
        }
        int total = (int) Math.min(bytes, Records.MAX_PLAINTEXT);
        Buffer together;
        try {
            together = allocator.allocate(total);
        } catch (MemoryLimitException e) {
            bytes -= length;
            return new Next(first.plaintext, promises);
        }
        append(together, first);
        for (Write w; (w = queue.peek()) != null; ) {
            if (w.plaintext.readableBytes() > total - together.readableBytes()) {
                break;
            }
            var _ = remove();
            addTo(promises, w);
            append(together, w);
        }
        bytes -= together.readableBytes();
        return new Next(together, promises);
    }

    record Next(Buffer plaintext, List<Promise<Void>> promises) {
        /// One that tells all of them.
        @Nullable Promise<Void> promise() {
            if (promises.size() < 2) {
                return promises.isEmpty() ? null : promises.getFirst();
            }
            Promise<Void> all = new Promise<>(promises.getFirst().executor());
            all.addListener(
                    done -> {
                        Throwable cause = done.cause();
                        for (Promise<Void> promise : promises) {
                            if (cause == null) {
                                promise.trySuccess(null);
                            } else {
                                promise.tryFailure(cause);
                            }
                        }
                    });
            return all;
        }
    }

    /// Back to the front: the engine did not take all of it.
    void pushBack(Next rest) {
        queue.addFirst(new Write(rest.plaintext(), rest.promise()));
        flushed++;
        bytes += rest.plaintext().readableBytes();
    }

    private static void addTo(List<Promise<Void>> promises, Write write) {
        if (write.promise != null) {
            promises.add(write.promise);
        }
    }

    private static void append(Buffer together, Write write) {
        together.writeBytes(write.plaintext);
        write.plaintext.release();
    }

    void failUnflushed(Throwable cause) {
        // In order, though listeners may write: such writes are not flushed either.
        ArrayDeque<Write> kept = new ArrayDeque<>(2);
        while (kept.size() < flushed) {
            kept.add(queue.remove());
        }
        fail(cause);
        for (Write w : kept) {
            add(w.plaintext, w.promise);
        }
        flushed = kept.size();
    }

    void fail(Throwable cause) {
        bytes = 0;
        flushed = 0;
        for (Write w; (w = queue.poll()) != null; ) {
            w.plaintext.release();
            if (w.promise != null) {
                w.promise.tryFailure(cause);
            }
        }
    }
}
