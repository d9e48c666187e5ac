package io.weft.transport.uring;

import io.weft.engine.ChannelOption;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Sqe;
import io.weft.transport.posix.Addresses;
import io.weft.transport.posix.Reception;
import io.weft.transport.posix.SocketOptions;
import io.weft.transport.posix.StreamDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connected descriptor with at most one multishot receive, one send and one connect under way.
///
/// Its halves are [UringInput] and [UringOutput].
///
/// **Closing** cancels what is under way and closes the descriptor in one submission; `closed` is
/// told when the last completion has come, since until then the kernel may use the channel's
/// buffers. The slot is freed then, not before.
final class UringStream extends UringOutput {
    /// A connect under way.
    ///
    /// @param memory where the kernel reads the address
    private record Connecting(SocketAddress address, long memory) {}

    /// Null when there is none.
    private @Nullable Connecting connecting;

    private boolean polling;
    private boolean finished;

    /// The peer reset the connection: there is nothing left to reset.
    private boolean gone;

    UringStream(UringEngine engine, int fd, Reception reception, StreamEvents events) {
        super(engine, fd, reception, events);
    }

    /// Begins to connect. If this throws, the stream is nobody's, and its descriptor the caller's.
    void connect(SocketAddress address, int family) {
        long memory = 0;
        try {
            memory = Memory.allocate(Addresses.SIZE, 8);
            Connecting begun = new Connecting(address, memory);
            int length = Addresses.write(address, family, memory);
            engine.ring.submit(
                    IoUring.IORING_OP_CONNECT,
                    fd,
                    length,
                    memory,
                    0,
                    0,
                    userData(Operation.CONNECT));
            connecting = begun;
        } catch (Throwable t) {
            if (memory != 0) {
                Memory.free(memory, Addresses.SIZE);
            }
            engine.slots.remove(slot);
            throw t;
        }
    }

    /// With the end of input the receive is over, and nothing would tell of a reset that comes
    /// later. A poll that goes on: the kernel adds EPOLLRDHUP to whatever is asked for, and that is
    /// so already. Not where the end of input has closed the stream, as it mostly does.
    @Override
    void awaitError() {
        if (closing) {
            return;
        }
        polling = true;
        engine.ring.submit(
                IoUring.IORING_OP_POLL_ADD,
                fd,
                0,
                0,
                IoUring.IORING_POLL_ADD_MULTI,
                Epoll.EPOLLERR,
                userData(Operation.POLL));
    }

    /// Something about the connection has changed.
    private void polled(int result, int flags) {
        polling = (flags & IoUring.IORING_CQE_F_MORE) != 0;
        if (closing) {
            finishIfQuiet();
        } else if (!isSending() && !holdsInput()) { // else the send tells, or the end of input
            failIfBroken(StreamDescriptor.takeError(fd));
        }
        if (!polling && result >= 0) {
            awaitError(); // the kernel may end a poll that goes on, as when completions overflow
        }
    }

    @Override
    public void shutdownOutput() {
        if (!closing) {
            Sockets.shutdown(fd, Sockets.SHUT_WR);
        }
    }

    // ---- the rest ----

    @Override
    public boolean discardInput() {
        return discardHeld() || (!closing && StreamDescriptor.discardInput(fd));
    }

    private void connected(int result) {
        Connecting ended = Objects.requireNonNull(connecting);
        connecting = null;
        Memory.free(ended.memory, Addresses.SIZE);
        if (closing) {
            finishIfQuiet();
        } else if (result < 0) {
            events.failed(SocketErrors.failure(-result, "connect " + ended.address));
        } else {
            events.connected();
        }
    }

    @Override
    public void completed(int operation, int result, int flags) {
        switch (operation) {
            case Operation.RECEIVE -> received(result, flags);
            case Operation.SEND -> sent(result);
            case Operation.READ_FILE -> fileRead(result);
            case Operation.SEND_FILE -> fileSent(result);
            case Operation.POLL_OUT -> writable(result);
            case Operation.POLL -> polled(result, flags);
            case Operation.POLL_IN -> readable(result);
            default -> connected(result);
        }
    }

    @Override
    public void faulted() {
        close(true);
    }

    @Override
    void receiveFailed(int error) {
        gone = error == Errno.ECONNRESET;
        events.failed(SocketErrors.failure(error, "receive"));
    }

    @Override
    public void close(boolean reset) {
        if (closing) {
            return;
        }
        closing = true;
        pause();
        if (reset && !gone) {
            Sockets.setLinger(fd, 0);
        }
        dropHeld();
        cancelAll();
        long sqe = engine.ring.submit(IoUring.IORING_OP_CLOSE, fd, 0, 0, 0, 0, Operation.IGNORED);
        Sqe.putFlags(sqe, IoUring.IOSQE_CQE_SKIP_SUCCESS);
        finishIfQuiet();
    }

    /// As an orderly close, which touches the descriptor alone: draining and FIN are asked for one
    /// by one before it.
    @Override
    public void letGo() {
        close(false);
    }

    /// Each by its user data, which the kernel finds in a hash table. By the descriptor it would
    /// look through all that is under way on the ring, that is through all connections.
    private void cancelAll() {
        endReceive();
        endSend();
        if (connecting != null) {
            cancel(Operation.CONNECT);
        }
        if (polling) {
            cancel(Operation.POLL);
        }
    }

    /// Tells that the channel is closed once the kernel has completed everything. Once: a close
    /// within the callback of the last completion comes here before that completion does, and a
    /// slot freed twice would get two owners.
    @Override
    void finishIfQuiet() {
        if (!isArmed() && !isSending() && connecting == null && !polling && !finished) {
            finished = true;
            dropFile();
            engine.slots.remove(slot);
            events.closed();
        }
    }

    @Override
    public boolean passesDescriptors() {
        return StreamDescriptor.passesDescriptors(fd);
    }

    @Override
    public int descriptor() {
        share(); // it may be passed on
        return closing ? -1 : fd;
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
    public @Nullable SocketAddress localAddress() {
        return closing ? null : Addresses.local(fd);
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closing ? null : Addresses.remote(fd);
    }
}
