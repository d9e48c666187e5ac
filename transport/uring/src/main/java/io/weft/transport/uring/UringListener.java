package io.weft.transport.uring;

import io.weft.channel.ChannelOption;
import io.weft.channel.spi.ListenEvents;
import io.weft.channel.spi.ListenHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.IoUring;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.ffi.Sqe;
import io.weft.transport.posix.AcceptedDescriptor;
import io.weft.transport.posix.ListeningDescriptor;
import io.weft.transport.posix.SocketOptions;
import java.io.IOException;
import java.net.SocketAddress;

/// A listening descriptor with one multishot accept: a completion for each connection, no call for any.
final class UringListener implements ListenHandle, Target {
    private final UringEngine engine;
    private final int fd;
    private final SocketAddress localAddress;
    private final boolean descriptors;
    private final ListenEvents events;
    private final int slot;
    private boolean armed;
    private boolean closing;
    private boolean finished;

    UringListener(UringEngine engine, ListeningDescriptor listening, ListenEvents events) {
        this.engine = engine;
        this.fd = listening.fd();
        this.localAddress = listening.localAddress();
        this.descriptors = listening.descriptors();
        this.events = events;
        this.slot = engine.slots.add(this);
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
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
        if (!armed && !closing) {
            armed = true;
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
    public void completed(int operation, int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            armed = false;
        }
        if (result >= 0) {
            if (closing) {
                Libc.close(result);
            } else {
                events.accepted(new AcceptedDescriptor(result, descriptors));
            }
        }
        if (armed) {
            return;
        }
        if (closing) {
            finish();
        } else if (result < 0 && SocketErrors.isExhaustion(-result)) {
            events.exhausted(SocketErrors.failure(-result, "accept on " + localAddress));
        } else if (result == -Errno.EINVAL || result == -Errno.EBADF) {
            close(); // not a listening socket any more
        } else {
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
            engine.ring.submit(
                    IoUring.IORING_OP_ASYNC_CANCEL,
                    -1,
                    0,
                    engine.userData(slot, Operation.ACCEPT),
                    0,
                    0,
                    Operation.IGNORED);
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
