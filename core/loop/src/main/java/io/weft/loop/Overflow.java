package io.weft.loop;

import io.weft.loop.queue.TaskQueue;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Tasks that may not be refused and found the queue full, in order with those in the queue.
///
/// Each carries a mark: the number of tasks that the queue had accepted by then. It runs once that
/// many have been polled, and before any later one. So each thread's tasks run in the order in
/// which that thread handed them over, a full queue delays a task by one capacity at most, and
/// tasks that keep adding others cannot keep the queue from being emptied.
///
/// Producers add under the lock. The owner takes the lock only where [#size] is not 0. It reads
/// that after it has polled a task: if the producer of that task added another one here before,
/// the poll makes this visible too.
final class Overflow {
    private record Late(Runnable task, long mark) {}

    private final TaskQueue<Runnable> tasks;
    private final Object lock = new Object();

    /// By mark, in ascending order, as the queue's count only grows.
    private final ArrayDeque<Late> waiting = new ArrayDeque<>(0);

    private boolean closed;

    // Written under the lock; read without it to see whether taking the lock is worth it.
    private volatile int size;

    Overflow(TaskQueue<Runnable> tasks) {
        this.tasks = tasks;
        var _ = new Late(() -> {}, 0); // loads the class while there are descriptors for that
    }

    // ---- any thread ----

    /// @return false when it is closed
    boolean add(Runnable task) {
        synchronized (lock) {
            if (closed) {
                return false;
            }
            waiting.add(new Late(task, tasks.accepted()));
            size = waiting.size();
            return true;
        }
    }

    int size() {
        return size;
    }

    // ---- the owner's thread ----

    /// The next task of queue and overflow, or null when none can be taken now.
    @Nullable Runnable poll() {
        if (size == 0) {
            Runnable task = tasks.poll();
            return task == null || size == 0 ? task : inOrder(task);
        }
        synchronized (lock) {
            Late first = waiting.peek();
            return first != null && isDue(first) ? take() : tasks.poll();
        }
    }

    /// An empty queue holds no task that was accepted earlier, whatever its count says: one that
    /// takes an element out again as it closes has counted it.
    private boolean isDue(Late late) {
        return late.mark <= tasks.polled() || tasks.isEmpty();
    }

    private @Nullable Runnable take() {
        Late late = waiting.poll();
        size = waiting.size();
        return late == null ? null : late.task;
    }

    /// Puts `polled` behind those that were added before it, and takes the first of them all.
    private @Nullable Runnable inOrder(Runnable polled) {
        synchronized (lock) {
            long position = tasks.polled() - 1;
            var before = new ArrayDeque<Late>();
            for (Late l; (l = waiting.peek()) != null && l.mark <= position; ) {
                before.add(l);
                waiting.remove();
            }
            waiting.addFirst(new Late(polled, position));
            while (!before.isEmpty()) {
                waiting.addFirst(before.removeLast());
            }
            return take();
        }
    }

    /// Refuses later tasks.
    ///
    /// @param anyway also when some are left; else this does nothing then
    /// @return false when it did nothing
    boolean close(boolean anyway) {
        synchronized (lock) {
            closed = anyway || waiting.isEmpty();
            return closed;
        }
    }
}
