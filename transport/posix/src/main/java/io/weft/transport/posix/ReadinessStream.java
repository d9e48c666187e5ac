package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A connected descriptor, or one that is being connected.
///
/// **Pausing** costs no call: interest in input is given up only when input comes while paused, and
/// taken up again by the next `receive`. A channel that asks for each batch thus changes no
/// interest as long as it asks before the next bytes.
///
/// **Errors** may be told even without interest (`EPOLLERR`, `EPOLLHUP`), and each time until the
/// stream acts: if it receives, it reads up to the error; if not, and there is nothing to read
/// before the error, it takes that from `SO_ERROR`. An error behind input is left to the receives,
/// or to the next send. A hang-up without an error means that both directions are closed and
/// nothing will ever happen. In both cases the stream turns edge-triggered, which silences it.
///
/// **A send to a connection that the peer has reset** takes the error, and is told behind the input
/// that had arrived: an answer in there may be why the peer takes no more. Until then the send is
/// pending. A stream that does not receive, or that stops to, hears of the failure at once.
///
/// **Closing** is done at once, as the kernel uses no memory of ours between calls.
final class ReadinessStream implements StreamHandle, ReadinessTarget {
    /// Of interest all the time.
    private static final int ERRORS = Epoll.EPOLLERR;

    private static final int CONNECT = Epoll.EPOLLOUT;
    private static final int RECEIVE = Epoll.EPOLLIN | Epoll.EPOLLRDHUP;

    private static final int RECEIVE_SIZE = 16 << 10;

    /// Of a stream that had as much as [#RECEIVE_SIZE] for its last receive. Else a message of
    /// exactly that size cost a second receive each time, only to hear that this was all.
    private static final int LARGE_RECEIVE_SIZE = 64 << 10;

    /// Receives a ready stream may make before others get their turn: half a MiB at most. What a
    /// relay sends on in one call costs the kernel the less the more it is; and one that looks at
    /// writability when a batch ends stays below the default cap.
    private static final int MAX_RECEIVES = 8;

    private static final int BROKEN = Epoll.EPOLLERR | Epoll.EPOLLHUP;

    final int slot;
    private final ReadinessEngine engine;
    final int fd;

    /// True if descriptors are received with the bytes.
    private final Reception reception;

    private final StreamEvents events;

    /// The [SocketAddress] of a connect in flight, or the [IOException] of a send that is to be
    /// told behind the input; else null.
    private @Nullable Object outcome;

    /// Events that the kernel reports.
    private int interest;

    private boolean receiving;
    private boolean receivesMuch;
    private boolean inputEnded;
    private boolean sendWaits;

    /// The kernel took less than it was offered: the next send would only hear EAGAIN.
    private boolean full;

    private boolean closed;

    /// True if the descriptor came from elsewhere, or its number was told to a caller, which may
    /// have passed it on.
    private boolean shared;

    /// The peer reset the connection: there is nothing left to reset.
    private boolean gone;

    /// To be registered by the caller with [#firstInterest].
    ReadinessStream(
            ReadinessEngine engine,
            int fd,
            Reception reception,
            StreamEvents events,
            @Nullable SocketAddress connecting) {
        this.engine = engine;
        this.fd = fd;
        this.reception = reception;
        this.events = events;
        this.outcome = connecting;
        this.interest = connecting == null ? RECEIVE : CONNECT;
        this.slot = engine.slots.add(this);
    }

    int firstInterest() {
        return interest | ERRORS;
    }

    private void interest(int wanted) {
        if (interest != wanted) {
            int before = interest;
            interest = wanted;
            int _ = engine.queue.change(fd, before | ERRORS, wanted | ERRORS, engine.key(slot));
        }
    }

    @Override
    public void ready(int ready) {
        if (outcome instanceof SocketAddress connecting) {
            finishConnect(connecting);
            return;
        }
        if ((ready & BROKEN) != 0) {
            if (receiving && !inputEnded) {
                readable(ready); // sending would take the error, and what came before it were lost
            } else {
                broken();
            }
            return;
        }
        if ((ready & Epoll.EPOLLOUT) != 0) {
            writable();
        }
        if ((ready & RECEIVE) != 0 && !closed) {
            readable(ready);
        }
    }

    private void finishConnect(SocketAddress address) {
        outcome = null;
        int error = StreamDescriptor.takeError(fd);
        if (error != 0) {
            events.failed(SocketErrors.failure(error, "connect " + address));
        } else {
            interest(RECEIVE);
            events.connected();
        }
    }

    /// An error or a hang-up on a stream that is not reading.
    private void broken() {
        if (outcome instanceof IOException unsent) {
            events.failed(unsent);
            return;
        }
        boolean behindInput = !receiving && !inputEnded && !sendWaits;
        int error =
                behindInput
                        ? StreamDescriptor.takeErrorWithoutInput(fd)
                        : StreamDescriptor.takeError(fd);
        if (error != 0) {
            events.failed(SocketErrors.failure(error, "connection"));
        } else if (sendWaits) {
            writable(); // the send will tell
        } else {
            interest(Epoll.EPOLLET);
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        if (!inputEnded && !(outcome instanceof SocketAddress)) {
            interest((interest & Epoll.EPOLLOUT) | RECEIVE);
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void readable(int ready) {
        if (!receiving) {
            interest(interest & ~RECEIVE);
            return;
        }
        // With a FIN or an error the end is near enough to fetch it now.
        boolean ending = (ready & (Epoll.EPOLLRDHUP | BROKEN)) != 0;
        boolean some = false;
        int result = 1;
        for (int i = 0; i < MAX_RECEIVES && result > 0 && receiving; i++) {
            int size = receivesMuch ? LARGE_RECEIVE_SIZE : RECEIVE_SIZE;
            Buffer bytes = allocate(size);
            if (bytes == null) {
                return;
            }
            result = receive(bytes, size);
            if (result <= 0) {
                bytes.release();
                break;
            }
            some = true;
            if (closed) {
                return;
            }
            receivesMuch = result >= RECEIVE_SIZE;
            if (!ending && result < size) {
                break; // that was all; if not, the next poll brings it
            }
        }
        if (some) {
            events.receiveComplete();
        }
        if (closed) {
            return;
        }
        if (result <= 0 && result != -Errno.EINTR && outcome instanceof IOException unsent) {
            events.failed(unsent);
        } else if (result < 0) {
            receiveFailed(-result, ready);
        } else if (result == 0 && receiving) { // else the next receive finds the end again
            inputEnded = true;
            events.inputClosed();
            if (!closed) {
                interest(interest & ~RECEIVE); // or the end would be told for ever
            }
        }
    }

    /// Hands up what comes; the caller keeps `bytes` when nothing does.
    private int receive(Buffer bytes, int size) {
        if (reception == Reception.DESCRIPTORS) {
            return DescriptorReceiver.receive(fd, bytes, size, events);
        }
        int result = Sockets.recv(fd, bytes.address(), size, 0);
        if (result > 0) {
            events.received(bytes.writeOffset(result));
        }
        return result;
    }

    /// Null when there is no memory: the connection has been told.
    private @Nullable Buffer allocate(int size) {
        try {
            return BufferAllocator.pooled().allocate(size);
        } catch (MemoryLimitException | OutOfMemoryError e) {
            // Waiting for memory would spin: the bytes stay where they are, and the event with
            // them.
            events.failed(new IOException("receive: no memory", e));
            return null;
        }
    }

    private void receiveFailed(int errno, int ready) {
        if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
            gone = errno == Errno.ECONNRESET;
            events.failed(SocketErrors.failure(errno, "receive"));
        } else if (errno == Errno.EAGAIN && (ready & BROKEN) != 0) {
            broken(); // an error that receiving does not tell
        }
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (full) {
            full = false;
            return await();
        }
        int result;
        do {
            result = sendNow(buffers);
        } while (result == -Errno.EINTR);
        if (result >= 0) {
            return result;
        }
        if (result == -Errno.EAGAIN) {
            return await();
        }
        return failed(-result, "send");
    }

    private int failed(int errno, String call) throws IOException {
        IOException failure = SocketErrors.failure(errno, call);
        if (!receiving || inputEnded || !SocketErrors.isBroken(errno)) {
            throw failure;
        }
        outcome = failure;
        return PENDING;
    }

    private int sendNow(Gather buffers) {
        long offered;
        int result;
        if (buffers.count() == 1 && buffers.descriptors() == null) {
            Buffer only = buffers.buffer(0);
            offered = only.readableBytes();
            result =
                    Sockets.send(
                            fd,
                            only.address() + only.readOffset(),
                            only.readableBytes(),
                            Sockets.MSG_NOSIGNAL);
        } else {
            long header = engine.vectors.take(buffers);
            result = Sockets.sendmsg(fd, header, Sockets.MSG_NOSIGNAL);
            engine.vectors.give(header);
            offered = result < 0 ? 0 : SendVectors.length(buffers);
        }
        full = result >= 0 && result < offered;
        return result;
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public int sendFile(FileRegion region) throws IOException {
        if (full) {
            full = false;
            return await();
        }
        int file = OpenFile.of(region);
        if (file < 0) {
            region.copy();
            return 0;
        }
        int offered = OpenFile.offered(region);
        int result = OpenFile.send(fd, file, region, offered, engine.fileOffset);
        if (result > 0) {
            full = result < offered;
            return result;
        }
        if (result == 0) {
            throw region.ended();
        }
        if (result == -Errno.EAGAIN) {
            return await();
        }
        if (result == -Errno.EINVAL || result == -Errno.ENOSYS) {
            region.copy(); // a file system or a socket that cannot do it
            return 0;
        }
        return failed(-result, "sendfile");
    }

    private int await() {
        sendWaits = true;
        interest(interest | Epoll.EPOLLOUT);
        return PENDING;
    }

    private void writable() {
        if (sendWaits) {
            sendWaits = false;
            events.sent(0);
        }
        if (!sendWaits && !closed) {
            interest(interest & ~Epoll.EPOLLOUT);
        }
    }

    @Override
    public void shutdownOutput() {
        if (!closed) {
            Sockets.shutdown(fd, Sockets.SHUT_WR);
        }
    }

    // ---- the rest ----

    @Override
    public boolean discardInput() {
        return !closed && StreamDescriptor.discardInput(fd);
    }

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        sendWaits = false;
        if (reset && !gone) {
            Sockets.setLinger(fd, 0);
        }
        engine.slots.remove(slot);
        engine.queue.closing(fd, interest, shared);
        Libc.close(fd);
        events.closed();
    }

    @Override
    public void letGo() {
        shared = true;
        close(false);
    }

    /// Allows for another descriptor of the same connection; see [ReadinessQueue#closing].
    void share() {
        shared = true;
    }

    @Override
    public void abandon() {
        close(true);
    }

    @Override
    public boolean passesDescriptors() {
        return StreamDescriptor.passesDescriptors(fd);
    }

    @Override
    public int descriptor() {
        if (closed) {
            return -1;
        }
        share();
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
    public @Nullable SocketAddress localAddress() {
        return closed ? null : Addresses.local(fd);
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : Addresses.remote(fd);
    }

    @Override
    public String toString() {
        return "stream of descriptor " + fd;
    }
}
