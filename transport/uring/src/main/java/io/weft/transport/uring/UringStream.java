package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Cqe;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.IoUring;
import io.weft.ffi.Memory;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.ffi.Sqe;
import io.weft.transport.posix.Addresses;
import io.weft.transport.posix.DescriptorReceiver;
import io.weft.transport.posix.OpenFile;
import io.weft.transport.posix.SocketOptions;
import io.weft.transport.posix.StreamDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connected descriptor with at most one multishot receive, one send and one connect under way.
///
/// **Pausing** costs no call: the receive stays armed, and what it brings meanwhile is held. Only
/// when something does come is the receive cancelled; see [HeldInput].
///
/// **Closing** cancels what is under way and closes the descriptor in one submission; `closed` is
/// told when the last completion has come, since until then the kernel may use the channel's
/// buffers. The slot is freed then, not before.
final class UringStream implements StreamHandle, Target {
    private static final int RECEIVE_SIZE = 16 << 10;

    private final UringEngine engine;
    private final int fd;

    /// True if descriptors are received with the bytes, which a receive into the ring's buffers has
    /// no place for.
    private final boolean descriptors;

    private final StreamEvents events;
    final int slot;
    private boolean receiving;
    private boolean armed;
    private boolean cancelling;
    private boolean sending;

    /// Address of a connect in flight; null when there is none.
    private @Nullable SocketAddress connecting;

    private boolean polling;
    private boolean starved;
    private boolean closing;
    private boolean finished;

    /// Buffers of the ring that came to this stream and are still out.
    private int lent;

    /// The peer reset the connection: there is nothing left to reset.
    private boolean gone;

    /// True if sends are copied, whatever their length: this kind of connection cannot do without,
    /// or it gains nothing.
    private boolean copies;

    /// The send under way is that of a [LentBuffer].
    private boolean lending;

    /// The memory of the send under way: a message header, or 0 when it is a single buffer.
    private long header;

    /// The memory of the address that a connect under way reads, else 0.
    private long peerAddress;

    /// Came in while paused.
    private @Nullable HeldInput held;

    /// Made with the first region of a file.
    private @Nullable FileSend files;

    /// Region that it sends, or sent last.
    private @Nullable FileRegion sendingFile;

    private boolean endHeld;

    /// True if each receive takes one buffer: the peer sends faster than handlers take it, or the
    /// ring has too few buffers. Else a receive takes as many as the kernel has input for, and a
    /// few such peers keep all others waiting for a buffer. Until the peer's input is shorter than
    /// one.
    private boolean oneByOne;

    /// The engine calls [#handUpHeld] in its next round.
    private boolean handsUpLater;

    /// The kernel said that nothing more will come; asked again, it would say so again.
    private boolean ended;

    UringStream(UringEngine engine, int fd, boolean descriptors, StreamEvents events) {
        this.engine = engine;
        this.fd = fd;
        this.descriptors = descriptors;
        this.events = events;
        this.slot = engine.slots.add(this);
    }

    void connect(SocketAddress address, int family) {
        connecting = address;
        peerAddress = Memory.allocate(Addresses.SIZE, 8);
        int length = Addresses.write(address, family, peerAddress);
        engine.ring.submit(
                IoUring.IORING_OP_CONNECT,
                fd,
                length,
                peerAddress,
                0,
                0,
                userData(Operation.CONNECT));
    }

    private long userData(int operation) {
        return engine.userData(slot, operation);
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closing) {
            return;
        }
        receiving = true;
        if (held == null && !endHeld) {
            arm();
        } else if (!handsUpLater) {
            handsUpLater = true;
            engine.handUpLater(this);
        }
    }

    /// Hands up what came while the stream was paused. Not within [#receive]: a handler that writes
    /// a message in several pieces would be told of input between two of them.
    void handUpHeld() {
        handsUpLater = false;
        while (receiving && held != null) {
            Buffer next = held.next();
            if (next == null) {
                held = null;
            } else {
                events.received(next);
                events.receiveComplete();
            }
        }
        if (!receiving) {
            return; // the next receive goes on
        }
        if (endHeld) {
            endHeld = false;
            events.inputClosed();
        } else {
            arm();
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void arm() {
        if (armed || starved || closing || ended) {
            return;
        }
        armed = true;
        if (descriptors) {
            engine.ring.submit(
                    IoUring.IORING_OP_POLL_ADD,
                    fd,
                    0,
                    0,
                    0,
                    Epoll.EPOLLIN,
                    userData(Operation.POLL_IN));
            return;
        }
        long sqe =
                engine.ring.submit(
                        IoUring.IORING_OP_RECV, fd, 0, 0, 0, 0, userData(Operation.RECEIVE));
        if (!oneByOne) {
            Sqe.putIoprio(sqe, IoUring.IORING_RECV_MULTISHOT);
        }
        Sqe.putFlags(sqe, IoUring.IOSQE_BUFFER_SELECT);
        Sqe.putBufGroup(sqe, ReceiveBuffers.GROUP);
    }

    /// There are receive buffers again.
    void feed() {
        starved = false;
        if (receiving) {
            arm();
        }
    }

    private void received(int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            armed = false;
            cancelling = false;
        }
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            Buffer bytes = takeBuffer(Cqe.bufferId(flags), Math.max(result, 0));
            if (result < ReceiveBuffers.SIZE) {
                oneByOne = false; // that was all there is
            }
            if (closing || result <= 0) {
                bytes.release();
            } else if (receiving && held == null) {
                handUp(bytes);
            } else {
                hold(bytes); // behind what waits already
            }
        }
        if (closing) {
            finishIfQuiet();
        } else if (result == 0) {
            ended = true;
            if (receiving && held == null) {
                events.inputClosed();
            } else {
                endHeld = true;
            }
            awaitError();
        } else if (!armed) {
            if (result == -Errno.ENOBUFS) {
                oneByOne = true;
                if (!starved) {
                    starved = true;
                    engine.starvation.addWithoutBuffer(this);
                }
            } else if (result > 0 || result == -Errno.ECANCELED || result == -Errno.EINTR) {
                if (receiving) {
                    arm();
                }
            } else {
                gone = result == -Errno.ECONNRESET;
                events.failed(SocketErrors.failure(-result, "receive"));
            }
        }
    }

    private Buffer takeBuffer(int id, int length) {
        lent++;
        return engine.buffers.take(id, length, this);
    }

    /// A buffer of the ring that came to this stream has come back.
    void gaveBack() {
        if (--lent == 0 && starved) {
            engine.starvation.holdsNothing(this);
        }
    }

    private void handUp(Buffer bytes) {
        if (!engine.buffers.isScarceFor(lent)) {
            events.received(bytes);
            events.receiveComplete();
            return;
        }
        Buffer copy = copy(bytes);
        if (copy != null) {
            bytes.release();
            events.received(copy);
            events.receiveComplete();
        } else {
            events.received(bytes);
            events.receiveComplete();
            awaitMemory();
        }
    }

    /// Null when there is no memory.
    private static @Nullable Buffer copy(Buffer bytes) {
        try {
            Buffer copy = BufferAllocator.pooled().allocate(bytes.readableBytes());
            return copy.writeBytes(bytes);
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return null;
        }
    }

    /// Receives no more for now, if what came is kept.
    private void awaitMemory() {
        if (lent == 0 || starved || closing) {
            return;
        }
        starved = true;
        engine.starvation.addWithoutMemory(this);
        cancelReceive();
    }

    private void cancelReceive() {
        if (armed && !cancelling) {
            cancelling = true;
            cancel(Operation.RECEIVE);
        }
    }

    /// There is something to be received with its descriptors.
    private void readable() {
        armed = false;
        if (closing) {
            finishIfQuiet();
            return;
        }
        if (!receiving) {
            return; // the next receive asks again
        }
        int result;
        try {
            Buffer bytes = BufferAllocator.pooled().allocate(RECEIVE_SIZE);
            result = DescriptorReceiver.receive(fd, bytes, RECEIVE_SIZE, events);
            if (result <= 0) {
                bytes.release();
            }
        } catch (MemoryLimitException e) {
            result = -Errno.ENOMEM;
        }
        if (closing) {
            return;
        }
        if (result > 0) {
            events.receiveComplete();
        } else if (result == 0) {
            ended = true;
            events.inputClosed();
            awaitError();
        } else if (result != -Errno.EAGAIN && result != -Errno.EINTR) {
            events.failed(SocketErrors.failure(-result, "receive"));
        }
        if (receiving) {
            arm();
        }
    }

    /// With the end of input the receive is over, and nothing would tell of a reset that comes
    /// later. A poll that goes on: the kernel adds EPOLLRDHUP to whatever is asked for, and that is
    /// so already. Not where the end of input has closed the stream, as it mostly does.
    private void awaitError() {
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
        } else if (!sending) { // else the send tells
            int error = (int) Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR);
            if (error != 0) {
                events.failed(SocketErrors.failure(Math.abs(error), "connection"));
            }
        }
        if (!polling && result >= 0) {
            awaitError(); // the kernel may end a poll that goes on, as when completions overflow
        }
    }

    private void hold(Buffer bytes) {
        oneByOne = true;
        try {
            if (held == null) {
                held = new HeldInput();
            }
            held.add(bytes);
        } catch (MemoryLimitException e) {
            events.failed(new IOException("receive: no memory", e));
            return;
        }
        cancelReceive();
    }

    private void cancel(int operation) {
        engine.ring.submit(
                IoUring.IORING_OP_ASYNC_CANCEL,
                -1,
                0,
                userData(operation),
                0,
                0,
                Operation.IGNORED);
    }

    /// Everything of the descriptor: slow on a ring with many connections, and all there is for
    /// what has other user data.
    private void cancelOfDescriptor() {
        engine.ring.submit(
                IoUring.IORING_OP_ASYNC_CANCEL,
                fd,
                0,
                0,
                0,
                IoUring.IORING_ASYNC_CANCEL_FD | IoUring.IORING_ASYNC_CANCEL_ALL,
                Operation.IGNORED);
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) {
        // Not MSG_WAITALL: a client that reads slowly has to be told from one that does not read.
        int flags = Sockets.MSG_NOSIGNAL;
        if (buffers.count() == 1 && buffers.descriptors() == null) {
            Buffer only = buffers.buffer(0);
            if (!copies && only.readableBytes() >= engine.uncopiedFrom) {
                LentBuffer.send(engine, this, fd, only);
                lending = true;
            } else {
                engine.ring.submit(
                        IoUring.IORING_OP_SEND,
                        fd,
                        0,
                        only.address() + only.readOffset(),
                        only.readableBytes(),
                        flags,
                        userData(Operation.SEND));
            }
        } else {
            header = engine.vectors.take(buffers);
            engine.ring.submit(
                    IoUring.IORING_OP_SENDMSG, fd, 0, header, 1, flags, userData(Operation.SEND));
        }
        // Not before: had something thrown, the close would wait for this send for ever.
        sending = true;
        return PENDING;
    }

    private void sent(int result) {
        sending = false;
        if (header != 0) {
            engine.vectors.give(header);
            header = 0;
        }
        if (closing) {
            finishIfQuiet();
        } else if (result >= 0) {
            events.sent(result);
        } else if (result == -Errno.EINTR || result == -Errno.EAGAIN) {
            events.sent(0);
        } else {
            events.failed(SocketErrors.failure(-result, "send"));
        }
    }

    /// As [#sent], of a [LentBuffer].
    void sentUncopied(int result) {
        lending = false;
        switch (-result) {
            // No such sockets (Unix domain), no such call (before kernel 6.2), or no more memory
            // may be pinned.
            case Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOMEM, Errno.ENOBUFS -> {
                copy();
                sent(0);
            }
            default -> sent(result);
        }
    }

    /// From now on sends are copied.
    void copy() {
        copies = true;
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public int sendFile(FileRegion region) {
        int file = OpenFile.of(region);
        if (file < 0) {
            region.copy();
            return 0;
        }
        if (files == null) {
            files = new FileSend(engine.ring, fd);
        }
        files.submit(region, file, userData(Operation.READ_FILE), userData(Operation.SEND_FILE));
        sendingFile = region;
        sending = true;
        return PENDING;
    }

    private void fileRead(int result) {
        FileSend f = Objects.requireNonNull(files);
        if (result > 0 && !closing) {
            f.read(result, userData(Operation.SEND_FILE));
            return;
        }
        sending = false;
        f.drop();
        if (closing) {
            finishIfQuiet();
        } else if (result == 0) {
            events.failed(Objects.requireNonNull(sendingFile).ended());
        } else {
            sent(result);
        }
    }

    private void fileSent(int result) {
        FileSend f = Objects.requireNonNull(files);
        if (result >= 0) {
            f.sent(result);
        }
        sent(result);
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
        boolean some = held != null && !held.isEmpty();
        dropHeld();
        return some || (!closing && StreamDescriptor.discardInput(fd));
    }

    private void dropFile() {
        sendingFile = null;
        if (files != null) {
            files.drop();
        }
    }

    private void dropHeld() {
        if (held != null) {
            held.release();
            held = null;
        }
    }

    private void connected(int result) {
        SocketAddress address = connecting;
        connecting = null;
        Memory.free(peerAddress, Addresses.SIZE);
        peerAddress = 0;
        if (closing) {
            finishIfQuiet();
        } else if (result < 0) {
            events.failed(SocketErrors.failure(-result, "connect " + address));
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
            case Operation.POLL -> polled(result, flags);
            case Operation.POLL_IN -> readable();
            default -> connected(result);
        }
    }

    @Override
    public void faulted() {
        close(true);
    }

    @Override
    public void close(boolean reset) {
        if (closing) {
            return;
        }
        closing = true;
        receiving = false;
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
        if (armed) {
            cancel(descriptors ? Operation.POLL_IN : Operation.RECEIVE);
        }
        if (lending) {
            cancelOfDescriptor();
        } else if (sending) {
            cancel(Operation.SEND);
            if (files != null) {
                cancel(Operation.SEND_FILE);
            }
        }
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
    private void finishIfQuiet() {
        if (!armed && !sending && connecting == null && !polling && !finished) {
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
