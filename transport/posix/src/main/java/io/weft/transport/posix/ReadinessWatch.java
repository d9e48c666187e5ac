package io.weft.transport.posix;

import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.SocketErrors;

/// A descriptor of another owner. Registered only while there is interest, as errors and hang-ups
/// are told without any.
final class ReadinessWatch implements ReadyHandle, ReadinessTarget {
    private static final int BROKEN = Epoll.EPOLLERR | Epoll.EPOLLHUP;
    private static final int READABLE = Epoll.EPOLLIN | BROKEN;
    private static final int WRITABLE = Epoll.EPOLLOUT | BROKEN;

    private final ReadinessEngine engine;
    private final int fd;
    private final ReadyEvents events;
    private final int slot;
    private int interest;
    private boolean closed;

    ReadinessWatch(ReadinessEngine engine, int fd, ReadyEvents events) {
        this.engine = engine;
        this.fd = fd;
        this.events = events;
        slot = engine.slots.add(this);
    }

    @Override
    public void interest(boolean readable, boolean writable) {
        int wanted = (readable ? Epoll.EPOLLIN : 0) | (writable ? Epoll.EPOLLOUT : 0);
        if (closed || wanted == interest) {
            return;
        }
        int before = interest;
        interest = wanted;
        int result =
                wanted == 0
                        ? engine.queue.remove(fd, before)
                        : before == 0
                                ? engine.queue.add(fd, wanted, engine.key(slot))
                                : engine.queue.change(fd, before, wanted, engine.key(slot));
        if (result < 0 && wanted != 0) {
            events.failed(SocketErrors.failure(-result, "watch " + this));
        }
    }

    @Override
    public void ready(int told) {
        boolean readable = (interest & Epoll.EPOLLIN) != 0 && (told & READABLE) != 0;
        boolean writable = (interest & Epoll.EPOLLOUT) != 0 && (told & WRITABLE) != 0;
        if (readable || writable) {
            events.ready(readable, writable);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            interest(false, false);
            closed = true;
            engine.slots.remove(slot);
        }
    }

    @Override
    public void abandon() {
        close();
    }

    @Override
    public String toString() {
        return "foreign descriptor " + fd;
    }
}
