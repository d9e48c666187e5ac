package io.weft.transport.uring;

import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramEvents;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Sqe;
import io.weft.transport.posix.DatagramDescriptor;
import io.weft.transport.posix.SocketDescriptor;

/// A socket for datagrams: a poll tells that some came, and one `recvmmsg` takes up to 32 of them.
/// A receive of the ring's own has one completion, one buffer and one header each, and no place for
/// more than a ring's buffer in what the kernel has put together.
final class UringDatagrams implements Target, DatagramDescriptor.Watch {
    private static final int MAX_FAILURES = 16;

    final DatagramDescriptor descriptor;
    private final int slot;
    private final UringEngine engine;
    private final int fd;
    private final DatagramEvents events;
    private int wanted;

    /// Polls under way.
    private int polling;

    /// Polls that failed one after the other.
    private int failures;

    private boolean closing;
    private boolean finished;

    UringDatagrams(
            UringEngine engine,
            SocketDescriptor socket,
            ChannelOptions options,
            DatagramEvents events) {
        this.engine = engine;
        this.fd = socket.fd();
        this.events = events;
        this.descriptor = new DatagramDescriptor(socket, options, engine.messages(), events, this);
        this.slot = engine.slots.add(this);
    }

    @Override
    public void interest(int wantedEvents) {
        wanted = wantedEvents;
        poll();
    }

    /// A poll for each direction, so that neither has to be taken back when the other is wanted
    /// too.
    private void poll() {
        poll(Epoll.EPOLLIN, Operation.POLL);
        poll(Epoll.EPOLLOUT, Operation.POLL_OUT);
    }

    private void poll(int event, int operation) {
        if ((wanted & event) != 0 && (polling & event) == 0 && !closing) {
            polling |= event;
            engine.ring.submit(
                    IoUring.IORING_OP_POLL_ADD,
                    fd,
                    0,
                    0,
                    0,
                    event,
                    engine.userData(slot, operation));
        }
    }

    @Override
    public void completed(int operation, int result, int flags) {
        polling &= ~(operation == Operation.POLL ? Epoll.EPOLLIN : Epoll.EPOLLOUT);
        if (closing) {
            finishIfQuiet();
            return;
        }
        if (result > 0) {
            failures = 0;
            descriptor.ready(result);
        } else if (result != -Errno.ECANCELED && ++failures >= MAX_FAILURES) {
            events.failed(SocketErrors.failure(-result, "poll"));
            descriptor.close(true); // asked again and again, it would say the same
        }
        poll(); // what is still wanted
    }

    @Override
    public void faulted() {
        descriptor.close(true);
    }

    @Override
    public void close() {
        closing = true;
        if (polling != 0) {
            engine.ring.submit(
                    IoUring.IORING_OP_ASYNC_CANCEL,
                    fd,
                    0,
                    0,
                    0,
                    IoUring.IORING_ASYNC_CANCEL_FD | IoUring.IORING_ASYNC_CANCEL_ALL,
                    Operation.IGNORED);
        }
        long sqe = engine.ring.submit(IoUring.IORING_OP_CLOSE, fd, 0, 0, 0, 0, Operation.IGNORED);
        Sqe.putFlags(sqe, IoUring.IOSQE_CQE_SKIP_SUCCESS);
        finishIfQuiet();
    }

    private void finishIfQuiet() {
        if (polling == 0 && !finished) {
            finished = true;
            engine.slots.remove(slot);
            events.closed();
        }
    }
}
