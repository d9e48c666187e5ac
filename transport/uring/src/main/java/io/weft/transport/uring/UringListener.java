package io.weft.transport.uring;

import io.weft.engine.ChannelOption;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Sqe;
import io.weft.transport.posix.AcceptedDescriptor;
import io.weft.transport.posix.ListeningDescriptor;
import io.weft.transport.posix.Reception;
import io.weft.transport.posix.SocketOptions;
import java.io.IOException;
import java.net.SocketAddress;

/// A listening descriptor with one multishot accept: a completion for each connection, no call for
/// any.
final class UringListener implements ListenHandle, Target {
    /// Failures in a row that may each be the end of one connection in the queue (accept(2), "Error
    /// handling"). With more of them the listener pauses as without descriptors, lest it ask again
    /// and again.
    private static final int MAX_FAILURES = 64;

    /// Connections accepted in a row after which the accept is begun anew: the kernel may forget
    /// the wake-up of one that arrives as it takes the last of so many. As with receives, see
    /// [UringInput].
    private static final int CHAIN = 32;

    private final UringEngine engine;
    private final int fd;
    private final SocketAddress localAddress;
    private final Reception reception;
    private final ListenEvents events;
    private final int slot;

    /// Another process may accept from the same socket.
    private boolean shared;

    private boolean accepting;
    private boolean armed;

    /// Connections that were accepted while more were waiting.
    private int chained;

    /// Accepts that failed one after the other.
    private int failures;

    private boolean closing;

    /// The queue has been looked into after the accept was cancelled.
    private boolean drained;

    private boolean finished;

    UringListener(
            UringEngine engine,
            ListeningDescriptor listening,
            boolean shared,
            ListenEvents events) {
        this.engine = engine;
        this.shared = shared;
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
        if (closing) {
            return -1;
        }
        shared = true;
        return fd;
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
        accepting = true;
        if (!armed && !closing) {
            armed = true;
            chained = 0;
            // Not SOCK_NONBLOCK: io_uring waits by itself, and would report EAGAIN for such a
            // descriptor instead.
            long sqe =
                    engine.ring.submit(
                            IoUring.IORING_OP_ACCEPT,
                            fd,
                            0,
                            0,
                            0,
                            Sockets.SOCK_CLOEXEC,
                            engine.userData(slot, Operation.ACCEPT));
            Sqe.putIoprio(sqe, IoUring.IORING_ACCEPT_MULTISHOT);
        }
    }

    @Override
    public void pause() {
        accepting = false;
        if (armed && !closing) {
            cancelAccept();
        }
    }

    private void cancelAccept() {
        engine.ring.cancel(engine.userData(slot, Operation.ACCEPT));
    }

    @Override
    public void completed(int operation, int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            armed = false;
        } else if ((flags & IoUring.IORING_CQE_F_SOCK_NONEMPTY) != 0) {
            chained++;
        } else if (chained >= CHAIN && !closing) {
            cancelAccept();
        }
        if (result >= 0) {
            failures = 0;
            // Also while it closes: this client was accepted before, and no other process that
            // shares the socket will be told of it.
            tell(new AcceptedDescriptor(result, reception));
        }
        if (armed || finished) {
            return;
        }
        if (closing) {
            if (shared && (!drained || result >= 0)) {
                drain();
            } else {
                finish();
            }
        } else if (result < 0 && (SocketErrors.isExhaustion(-result) || isLasting(result))) {
            failures = 0;
            events.exhausted(SocketErrors.failure(-result, "accept on " + localAddress));
        } else if (result == -Errno.EINVAL || result == -Errno.EBADF) {
            close(); // not a listening socket any more
        } else if (accepting) {
            accept();
        }
    }

    /// Accepts one that waits, if there is one, after the cancellation.
    ///
    /// For a connection that arrives, the kernel wakes one of the rings that wait to accept from a
    /// socket. If that is the one whose accept is being cancelled, the event is dropped with it,
    /// and the connection would lie in the queue, which another process serves, until the next one
    /// arrives. Before Linux 6.10 it does.
    private void drain() {
        drained = true;
        armed = true;
        long sqe =
                engine.ring.submit(
                        IoUring.IORING_OP_ACCEPT,
                        fd,
                        0,
                        0,
                        0,
                        Sockets.SOCK_CLOEXEC,
                        engine.userData(slot, Operation.ACCEPT));
        Sqe.putIoprio(sqe, IoUring.IORING_ACCEPT_DONTWAIT);
    }

    /// Tells if accepting has failed so often in a row that connections given up by their peers
    /// cannot be the cause.
    private boolean isLasting(int result) {
        return result != -Errno.ECONNABORTED
                && result != -Errno.ECANCELED // paused
                && ++failures >= MAX_FAILURES;
    }

    private void tell(AcceptedDescriptor connection) {
        try {
            events.accepted(connection);
        } catch (Throwable t) {
            engine.faults.add(t);
            connection.close();
        }
    }

    /// A listener serves all its peers, so it goes on, unless it was paused.
    @Override
    public void faulted() {
        if (accepting) {
            accept();
        }
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        if (armed) {
            // The accept holds the descriptor open, and with it the port, until it has been
            // cancelled.
            cancelAccept();
        } else {
            finish();
        }
    }

    /// Once: a close within the callback of the last accept comes here before that accept does.
    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        Libc.close(fd);
        engine.slots.remove(slot);
        events.closed();
    }
}
