package io.weft.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// A queue that knows nothing of closing.
///
/// A producer adds its element, then looks whether the queue has been closed; the owner closes it, then polls until it is
/// empty. So either the owner polls the element, or its producer sees the end and takes it out again: `remove` decides.
final class ForeignQueue<E> implements TaskQueue<E> {
    private static final VarHandle POLLED = polledHandle();

    private final Queue<E> queue;
    private final int capacity;
    private volatile boolean closed;
    private long polled;

    ForeignQueue(Queue<E> queue) {
        this.queue = Objects.requireNonNull(queue, "queue");
        capacity =
                queue instanceof BlockingQueue<E> bounded
                        ? bounded.remainingCapacity()
                        : Integer.MAX_VALUE;
        if (!queue.isEmpty()) {
            throw new IllegalArgumentException(
                    "queue: " + queue.size() + " elements (expected: 0)");
        }
    }

    private static VarHandle polledHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(ForeignQueue.class, "polled", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public boolean offer(E element) {
        if (closed || !queue.offer(element)) {
            return false;
        }
        // Whatever the queue wrote it by: see TaskQueue.offer.
        VarHandle.fullFence();
        return !closed || !queue.remove(element);
    }

    @Override
    public @Nullable E poll() {
        E element = queue.poll();
        if (element != null) {
            POLLED.setOpaque(this, polled + 1);
        }
        return element;
    }

    @Override
    public boolean isEmpty() {
        VarHandle.fullFence();
        return queue.isEmpty();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public long polled() {
        return (long) POLLED.getOpaque(this);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }
}
