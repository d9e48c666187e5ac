package io.weft.loop.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// A queue that knows nothing of closing.
///
/// A producer adds its element, then looks whether the queue has been closed; the owner closes it,
/// then polls until it is empty. So either the owner polls the element, or its producer sees the
/// end and takes it out again: `remove` decides.
final class ForeignQueue<E> implements TaskQueue<E> {
    private static final VarHandle POLLS = pollsHandle();

    private final Queue<E> queue;
    private final int capacity;
    private volatile boolean closed;

    // Twice the number of elements polled, and 1 while a poll is under way.
    private long polls;

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

    private static VarHandle pollsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(ForeignQueue.class, "polls", long.class);
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
        long before = polls;
        POLLS.setRelease(this, before + 1);
        E element = queue.poll();
        POLLS.setRelease(this, element != null ? before + 2 : before);
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
        return (long) POLLS.getOpaque(this) >> 1;
    }

    /// {@inheritDoc}
    ///
    /// Adds up the polled and the remaining elements at a moment at which no poll was under way:
    /// where the size tells of an element taken out, the second look at `polls` tells of its poll.
    @Override
    public long accepted() {
        for (; ; ) {
            long before = (long) POLLS.getAcquire(this);
            int left = queue.size();
            VarHandle.acquireFence();
            if ((before & 1) == 0 && before == (long) POLLS.getOpaque(this)) {
                return (before >> 1) + left;
            }
            Thread.onSpinWait();
        }
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
