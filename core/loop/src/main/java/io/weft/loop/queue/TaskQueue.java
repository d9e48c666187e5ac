package io.weft.loop.queue;

import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A queue into which producers put what one owner, an executor, takes in order. A queue serves one
/// executor; other kinds than [MpscQueue], the default, are here to be compared with it, or to hold
/// more than memory allows to reserve at once.
///
/// **Closing** splits offers in two: what was accepted is polled by the owner that closes, what is
/// refused never is. An executor polls until a closed queue [is empty][#isEmpty], and then never
/// again; a queue that lets an offer slip in after that loses a task.
public interface TaskQueue<E> {
    /// Adds `element`. Any thread. What the producer did before it, the owner sees after [#poll].
    /// It makes [#isEmpty] false by a volatile write, or one as strong, before anything volatile
    /// that the producer reads after it: whether the owner sleeps.
    ///
    /// @return false when the queue is full or closed
    boolean offer(E element);

    /// Takes the oldest element, or null when there is none. A queue may return null as long as an
    /// [#offer] has not returned. Owner only.
    @Nullable E poll();

    /// True when no element is in the queue or about to be, by a volatile read. Any thread; exact
    /// for the owner of a closed queue, else a snapshot.
    boolean isEmpty();

    /// Returns the number of elements. Any thread; a snapshot.
    int size();

    /// Returns the number of elements that there is room for; `Integer.MAX_VALUE` if only memory
    /// limits them.
    int capacity();

    /// Returns the number of elements that have been polled so far. Any thread; a snapshot.
    long polled();

    /// The number of elements that have been accepted so far, in the order of [#poll]: includes all
    /// that the calling thread has offered, and none that it will offer. Any thread.
    long accepted();

    /// Refuses every later offer. Any thread.
    void close();

    boolean isClosed();

    /// A queue of the JDK's, such as
    /// [ConcurrentLinkedQueue][java.util.concurrent.ConcurrentLinkedQueue],
    /// [LinkedTransferQueue][java.util.concurrent.LinkedTransferQueue] or
    /// [LinkedBlockingQueue][java.util.concurrent.LinkedBlockingQueue], as an executor's. It is as
    /// bounded as `queue` is, which must be empty and have no other user.
    ///
    /// @param queue safe for any thread, and with a [remove][Queue#remove(Object)] that takes an
    ///     element out if and only if no `poll` does
    static <E> TaskQueue<E> of(Queue<E> queue) {
        return new ForeignQueue<>(queue);
    }
}
