package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The thread that counts the owners of some buffers without atomics, and the buffers that other
/// threads released meanwhile, whose counts that thread has to put together; see [Owned].
///
/// | field | written by | read by |
/// | --- | --- | --- |
/// | thread | the thread itself, by CAS from null | all threads; a thread can take it for itself only if it is |
/// | unsettled | CAS pushes, the thread takes all by one exchange | all threads |
final class Bias {
    /// The bias of blocks that belong to no thread: every count is atomic.
    static final Bias NONE = new Bias();

    private static final VarHandle THREAD;
    private static final VarHandle UNSETTLED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            THREAD = lookup.findVarHandle(Bias.class, "thread", Thread.class);
            UNSETTLED = lookup.findVarHandle(Bias.class, "unsettled", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// @param buffer whose counts to put together; null when a buffer has moved off `block`
    /// @param block from which to take a handle, as the buffer has ended
    private record Node(@Nullable Owned buffer, @Nullable Block block, @Nullable Node next) {
        void settle() {
            if (block == null) {
                if (buffer != null) {
                    buffer.settle();
                }
            } else if (buffer == null || buffer.mayEnd()) {
                block.drop();
            }
        }
    }

    /// Null between threads, when each thread that pushes settles.
    @Nullable Thread thread;

    @SuppressWarnings("UnusedVariable") // written by UNSETTLED
    private @Nullable Node unsettled;

    /// Tells if the current thread is the one of this bias. Plain: only that thread writes itself
    /// here and takes itself out.
    boolean isHere() {
        return thread == Thread.currentThread();
    }

    /// The current thread counts from here on; it waits while another one settles what was left.
    void enter() {
        Thread here = Thread.currentThread();
        while (!THREAD.compareAndSet(this, (Thread) null, here)) {
            Thread.onSpinWait();
        }
        settle();
    }

    /// The current thread counts no longer.
    void leave() {
        settle();
        THREAD.setVolatile(this, (Thread) null);
        settleAbandoned();
    }

    /// Leaves `buffer` to be settled by the thread, or does it if there is none.
    void push(Owned buffer) {
        push(buffer, null);
    }

    /// Leaves it to the thread to take a handle off `block`.
    ///
    /// @param ended the buffer that had it
    void push(@Nullable Owned ended, @Nullable Block block) {
        Node head;
        do {
            head = (Node) UNSETTLED.getAcquire(this);
        } while (!UNSETTLED.compareAndSet(this, head, new Node(ended, block, head)));
        settleAbandoned();
    }

    /// Either the pusher sees that the thread has left, or the leaving thread sees what was pushed:
    /// both write before they read, and both volatile.
    private void settleAbandoned() {
        while (UNSETTLED.getVolatile(this) != null
                && THREAD.getVolatile(this) == null
                && THREAD.compareAndSet(this, (Thread) null, Thread.currentThread())) {
            settle();
            THREAD.setVolatile(this, (Thread) null);
        }
    }

    /// Puts together the counts of all that was pushed. On the thread only.
    void settle() {
        if (unsettled != null) {
            Node node = (Node) UNSETTLED.getAndSet(this, (Node) null);
            while (node != null) {
                node.settle();
                node = node.next;
            }
        }
    }
}
