package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams that an engine watches: moves up to [MessageBatch#MAX] of them in a call.
///
/// A readiness takes one call; if as many datagrams came as could, the next may bring twice as
/// many. Thus neither a single datagram pays for buffers that stay empty, nor a storm a call each.
public final class DatagramDescriptor implements DatagramHandle {
    /// Services of an engine for a datagram socket.
    public interface Watch {
        /// Wants [#ready] to be called for these of `EPOLLIN` and `EPOLLOUT`, as long as they are
        /// so.
        void interest(int events);

        /// Stops watching, closes the descriptor and then tells `closed`.
        void close();
    }

    /// The kernel puts no more than that together (UDP_GRO).
    private static final int MAX_TOGETHER = 64 << 10;

    private final int fd;
    private final int family;
    private final MessageBatch batch;
    private final DatagramEvents events;
    private final int receiveSize;
    private final Watch watch;
    private final @Nullable Buffer[] room = new @Nullable Buffer[MessageBatch.MAX];

    /// Received and not handed up yet: a channel may pause in the midst of what came with one call.
    private final ArrayDeque<Datagram> held = new ArrayDeque<>(0);

    private boolean handingUp;
    private int expected = 1;
    private int interest;
    private boolean receiving;
    private boolean sendWaits;
    private boolean closed;

    /// @param batch of the loop
    public DatagramDescriptor(
            SocketDescriptor socket,
            ChannelOptions options,
            MessageBatch batch,
            DatagramEvents events,
            Watch watch) {
        this.fd = socket.fd();
        this.family = socket.family();
        this.batch = batch;
        this.events = events;
        this.watch = watch;
        this.receiveSize =
                options.get(ChannelOption.UDP_GRO)
                        ? MAX_TOGETHER
                        : options.get(ChannelOption.MAX_DATAGRAM_SIZE);
    }

    /// A non-blocking socket, bound and connected where there are addresses.
    ///
    /// @throws IOException when an address cannot be had; nothing is left open then
    public static SocketDescriptor open(
            @Nullable SocketAddress local, @Nullable SocketAddress peer, ChannelOptions options)
            throws IOException {
        int type = Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK;
        SocketAddress first = local != null ? local : peer;
        if (first == null) {
            throw new UnsupportedAddressTypeException();
        }
        SocketDescriptor socket;
        if (local == null) {
            socket = SocketDescriptor.open(first, type, options);
        } else if (peer != null && isIpv4(local) && isIpv4(peer)) {
            // Only IPv4 can come from that peer, so the socket need not take both families.
            socket = SocketDescriptor.boundAsIs(local, type, options);
        } else {
            socket = SocketDescriptor.bound(local, type, options);
        }
        int result = peer == null ? 0 : socket.connect(peer, false);
        if (result < 0) {
            socket.close();
            throw SocketErrors.failure(-result, "connect " + peer);
        }
        return socket;
    }

    private static boolean isIpv4(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                && inet.getAddress() instanceof Inet4Address;
    }

    private void interest(int wanted) {
        if (interest != wanted) {
            interest = wanted;
            watch.interest(wanted);
        }
    }

    /// The descriptor is ready for these of `EPOLLIN`, `EPOLLOUT` and `EPOLLERR`.
    public void ready(int ready) {
        if ((ready & Epoll.EPOLLERR) != 0 && !receiving) {
            tellError();
        }
        if ((ready & Epoll.EPOLLOUT) != 0) {
            interest(interest & ~Epoll.EPOLLOUT);
            writable();
        }
        if ((ready & (Epoll.EPOLLIN | Epoll.EPOLLERR)) != 0 && !closed) {
            readable();
        }
    }

    private void writable() {
        if (sendWaits) {
            sendWaits = false;
            events.sent(0);
        }
        if (receiving && !held.isEmpty()) {
            handUp();
        }
    }

    /// An answer of the network (ICMP) to something sent; asking for it takes it away.
    private void tellError() {
        int error = (int) Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR);
        if (error != 0 && !closed) {
            events.failed(failure(Math.abs(error), "datagram"));
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (!receiving && !closed) {
            receiving = true;
            // What is held is handed up in a later poll, and a socket for datagrams may mostly send
            // at once.
            boolean later = !held.isEmpty() && !handingUp;
            interest(interest | Epoll.EPOLLIN | (later ? Epoll.EPOLLOUT : 0));
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void readable() {
        if (!receiving) {
            interest(interest & ~Epoll.EPOLLIN);
            return;
        }
        int offered = makeRoom();
        if (offered > 0) {
            int count = 0;
            try {
                count = receive(offered);
            } finally {
                dropRoom(offered);
            }
            if (count >= 0) {
                handUp();
            }
        }
    }

    /// @return how many datagrams came; negative when it failed
    private int receive(int offered) {
        int count = Sockets.recvmmsg(fd, batch.headers(), offered, Sockets.MSG_DONTWAIT);
        if (count < 0) {
            if (count != -Errno.EAGAIN && count != -Errno.EINTR) {
                events.failed(failure(-count, "receive"));
            }
            return count;
        }
        expected = count == offered ? Math.min(expected * 2, MessageBatch.MAX) : 1;
        // Before the first is handed up: a handler may send, and that uses the same memory.
        for (int i = 0; i < count; i++) {
            Buffer content = take(i).writeOffset(Math.min(batch.length(i), receiveSize));
            hold(
                    new Datagram(content, batch.sender(i), 0, batch.destination(i)),
                    batch.segmentSize(i));
        }
        return count;
    }

    private void hold(Datagram datagram, int segmentSize) {
        Buffer rest = datagram.content();
        while (segmentSize > 0 && rest.readableBytes() > segmentSize) {
            held.add(
                    new Datagram(
                            rest.split(segmentSize),
                            datagram.address(),
                            0,
                            datagram.destination()));
        }
        held.add(datagram);
    }

    private void handUp() {
        handingUp = true;
        try {
            while (receiving && !held.isEmpty()) {
                events.received(held.remove());
            }
        } finally {
            handingUp = false;
        }
        if (!closed) {
            events.receiveComplete();
        }
    }

    /// Gives up what was not filled.
    private void dropRoom(int offered) {
        for (int i = 0; i < offered; i++) {
            Buffer unused = room[i];
            if (unused != null) {
                room[i] = null;
                unused.release();
            }
        }
    }

    private Buffer take(int index) {
        Buffer buffer = room[index];
        room[index] = null;
        if (buffer == null) {
            throw new IllegalStateException("room: none at " + index);
        }
        return buffer;
    }

    /// Allocates room for datagrams. Returns their number; if there is memory for none, reports
    /// that and returns 0.
    private int makeRoom() {
        int count = 0;
        try {
            for (; count < expected; count++) {
                Buffer buffer = BufferAllocator.pooled().allocate(receiveSize);
                room[count] = buffer;
                batch.expect(count, buffer.address(), receiveSize);
            }
        } catch (MemoryLimitException | OutOfMemoryError e) {
            if (count == 0) {
                receiving = false; // or it would be told for ever
                interest(interest & ~Epoll.EPOLLIN);
                events.failed(new IOException("receive: no memory", e));
            }
        }
        return count;
    }

    // ---- sending ----

    @Override
    public int send(DatagramBatch datagrams) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int count;
        try {
            count = batch.fill(datagrams, family);
        } catch (IllegalArgumentException e) {
            throw new IOException("send: " + e.getMessage(), e);
        }
        int sent;
        do {
            sent = Sockets.sendmmsg(fd, batch.headers(), count, Sockets.MSG_NOSIGNAL);
        } while (sent == -Errno.EINTR);
        if (sent >= 0) {
            return sent;
        }
        if (sent == -Errno.EAGAIN) {
            sendWaits = true;
            interest(interest | Epoll.EPOLLOUT);
            return PENDING;
        }
        throw failure(-sent, "send");
    }

    private static IOException failure(int errno, String what) {
        return errno == Errno.ECONNREFUSED
                ? new PortUnreachableException(what + ": " + Errno.describe(errno))
                : SocketErrors.failure(errno, what);
    }

    // ---- the rest ----

    @Override
    public void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source)
            throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        Memberships.change(fd, change, group, over, source);
    }

    @Override
    public void close(boolean reset) {
        if (!closed) {
            closed = true;
            receiving = false;
            sendWaits = false;
            held.forEach(Datagram::close);
            held.clear();
            watch.close();
        }
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
        return "datagrams of descriptor " + fd;
    }
}
