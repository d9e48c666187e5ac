package io.weft.transport.uring;

import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.uring.IoUring;

/// A descriptor of another owner, polled once at a time: asked again after each event, the kernel
/// looks whether the cause is still there, which a poll that goes on would not.
///
/// A terminal has two wait queues. Kernels that wake such a poll without a cause (as each change of
/// its settings does) end it with EINVAL, as they fail to queue it again; so it is asked again.
final class UringWatch implements ReadyHandle, Target {
    private static final int BROKEN = Epoll.EPOLLERR | Epoll.EPOLLHUP;
    private static final int READABLE = Epoll.EPOLLIN | BROKEN;
    private static final int WRITABLE = Epoll.EPOLLOUT | BROKEN;

    /// Polls in a row that end with EINVAL, after which the descriptor cannot be watched.
    private static final int MAX_INVALID = 1000;

    private final UringEngine engine;
    private final int fd;
    private final ReadyEvents events;
    private final int slot;
    private int interest;

    /// Events that the poll in flight waits for; 0 when there is none.
    private int armed;

    private int invalid;
    private boolean cancelling;
    private boolean closed;

    UringWatch(UringEngine engine, int fd, ReadyEvents events) {
        this.engine = engine;
        this.fd = fd;
        this.events = events;
        slot = engine.slots.add(this);
    }

    @Override
    public void interest(boolean readable, boolean writable) {
        interest = (readable ? Epoll.EPOLLIN : 0) | (writable ? Epoll.EPOLLOUT : 0);
        if (armed == 0) {
            arm();
        } else if (armed != interest) {
            cancel();
        }
    }

    private void arm() {
        if (interest == 0 || closed) {
            return;
        }
        armed = interest;
        engine.ring.submit(
                IoUring.IORING_OP_POLL_ADD,
                fd,
                0,
                0,
                0,
                interest,
                engine.userData(slot, Operation.POLL));
    }

    private void cancel() {
        if (!cancelling) {
            cancelling = true;
            engine.ring.cancel(engine.userData(slot, Operation.POLL));
        }
    }

    @Override
    public void completed(int operation, int result, int flags) {
        armed = 0;
        cancelling = false;
        if (closed) {
            engine.slots.remove(slot);
            return;
        }
        invalid = result == -Errno.EINVAL ? invalid + 1 : 0;
        if (result >= 0) {
            boolean readable = (interest & Epoll.EPOLLIN) != 0 && (result & READABLE) != 0;
            boolean writable = (interest & Epoll.EPOLLOUT) != 0 && (result & WRITABLE) != 0;
            if (readable || writable) {
                events.ready(readable, writable);
            }
        } else if (result != -Errno.ECANCELED
                && result != -Errno.EINTR
                && (invalid == 0 || invalid > MAX_INVALID)) {
            events.failed(SocketErrors.failure(-result, "poll of descriptor " + fd));
        }
        if (armed == 0) {
            arm(); // unless the listener did, by a change of interest
        }
    }

    @Override
    public void faulted() {
        close();
    }

    /// The slot is free when the kernel has let go.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (armed != 0) {
            cancel();
        } else {
            engine.slots.remove(slot);
        }
    }
}
