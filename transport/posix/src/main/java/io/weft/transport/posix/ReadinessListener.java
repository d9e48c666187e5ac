package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketAddress;

/// A listening descriptor.
///
/// An event accepts one connection; if some are left, so that the very next poll tells of them,
/// twice as many as the one before. Thus neither a single connection costs a second, vain call nor
/// a storm a poll each.
final class ReadinessListener implements ListenHandle, ReadinessTarget {
    private static final int MAX_BATCH = 64;

    /// Failures in a row after which the listener pauses as without descriptors, lest it spin.
    private static final int MAX_FAILURES = 64;

    final int slot;
    private final ReadinessEngine engine;
    private final int fd;
    private final SocketAddress localAddress;
    private final Reception reception;
    private final ListenEvents events;
    private int batch = 1;

    /// Accepts that failed one after the other.
    private int failures;

    private long lastReady;
    private boolean accepting;
    private boolean closed;

    ReadinessListener(ReadinessEngine engine, ListeningDescriptor listening, ListenEvents events) {
        this.engine = engine;
        this.fd = listening.fd();
        this.localAddress = listening.localAddress();
        this.reception = listening.reception();
        this.events = events;
        this.slot = engine.slots.add(this);
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public int descriptor() {
        return closed ? -1 : fd;
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return SocketOptions.get(fd, option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        SocketOptions.set(fd, option, value);
    }

    @Override
    public void accept() {
        if (!accepting && !closed) {
            accepting = true;
            int _ = engine.queue.change(fd, 0, Epoll.EPOLLIN, engine.key(slot));
        }
    }

    @Override
    public void pause() {
        if (accepting) {
            accepting = false;
            int _ = engine.queue.change(fd, Epoll.EPOLLIN, 0, engine.key(slot));
        }
    }

    @Override
    public void ready(int readyEvents) {
        batch = engine.polls() == lastReady + 1 ? Math.min(batch * 2, MAX_BATCH) : 1;
        lastReady = engine.polls();
        for (int i = 0; i < batch; i++) {
            int result = Sockets.accept4(fd, 0, 0, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            if (result >= 0) {
                failures = 0;
                tell(new AcceptedDescriptor(result, reception));
            } else if (result == -Errno.EAGAIN) {
                return;
            } else if (SocketErrors.isExhaustion(-result) || isLasting(result)) {
                failures = 0;
                exhausted(SocketErrors.failure(-result, "accept on " + localAddress));
            } else if (result == -Errno.EINVAL || result == -Errno.EBADF) {
                close(); // not a listening socket any more
            }
            // Whatever else it is, it is most likely the end of one connection in the queue:
            // accept(2), "Error handling".
            if (!accepting) {
                return;
            }
        }
    }

    /// Tells if accepting has failed so often in a row that connections given up by their peers
    /// cannot be the cause.
    private boolean isLasting(int result) {
        return result != -Errno.ECONNABORTED && ++failures >= MAX_FAILURES;
    }

    private void exhausted(IOException cause) {
        pause();
        try {
            events.exhausted(cause);
        } catch (Throwable t) {
            accept(); // nobody else would
            throw t;
        }
    }

    private void tell(AcceptedDescriptor connection) {
        try {
            events.accepted(connection);
        } catch (Throwable t) {
            engine.faults.add(t);
            connection.close();
        }
    }

    @Override
    public void abandon() {
        close();
    }

    /// A listener serves all its peers, so it goes on: it has not stopped, unless it was paused.
    @Override
    public void faulted() {}

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            engine.slots.remove(slot);
            // The registration belongs to what descriptors of the same socket share, perhaps in
            // another process, and outlives this one.
            engine.queue.closing(fd, accepting ? Epoll.EPOLLIN : 0, true);
            accepting = false;
            Libc.close(fd);
            events.closed();
        }
    }

    @Override
    public String toString() {
        return "listener on " + localAddress;
    }
}
