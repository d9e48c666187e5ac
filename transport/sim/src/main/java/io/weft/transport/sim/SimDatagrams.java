package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams, which may be lost, come twice, or come late.
final class SimDatagrams implements DatagramHandle, Notice.Target {
    private static final class Arrived {
        final byte[] bytes;
        final InetSocketAddress from;

        Arrived(byte[] bytes, InetSocketAddress from) {
            this.bytes = bytes;
            this.from = from;
        }

        /// Returns octets of a receive buffer that it takes: the kernel counts its record, too.
        int weight() {
            return bytes.length + RECORD;
        }
    }

    /// The least that Linux counts for a datagram beside its bytes.
    private static final int RECORD = 768;

    /// `net.core.rmem_default` of Linux.
    private static final int RECEIVE_BUFFER = 212_992;

    private static final int MAX_WAITING = 256;
    private static final int MAX_RECEIVES = 64;
    private static final int MAX_LENGTH = 65_507;

    /// Bytes of the headers of IPv4 and UDP.
    private static final int HEADERS = 28;

    private static final long LATE_NANOS = 200_000_000;

    private final SimEngine engine;
    private final SimHost host;
    private final OptionValues options;
    private final DatagramEvents events;
    private final Notice notice;
    private final InetSocketAddress local;
    private final @Nullable InetSocketAddress peer;
    private final ArrayDeque<Arrived> arrived = new ArrayDeque<>();
    private long arrivedWeight;
    private boolean unreachable;
    private boolean receiving;
    private @Nullable DatagramBatch deferred;
    private boolean closed;
    private boolean closeTold;

    SimDatagrams(
            SimEngine engine,
            @Nullable InetSocketAddress wanted,
            @Nullable InetSocketAddress peer,
            ChannelOptions options,
            DatagramEvents events)
            throws IOException {
        this.engine = engine;
        this.host = engine.host();
        this.options = new OptionValues(options, true);
        this.events = events;
        this.peer = peer;
        this.notice = new Notice(engine, this);
        host.open(Fault.SOCKET_EMFILE, "socket");
        try {
            this.local = host.bind(this, wanted);
        } catch (IOException e) {
            host.closed();
            throw e;
        }
        engine.opened(this);
    }

    // ---- sending ----

    @Override
    public int send(DatagramBatch datagrams) throws IOException {
        if (host.strikes(Fault.SEND_ENOBUFS)) {
            throw new SocketException("send: No buffer space available");
        }
        if (host.strikes(Fault.DEFERRED_SEND)) {
            deferred = datagrams;
            notice.giveLater();
            return PENDING;
        }
        return transmit(datagrams);
    }

    private int transmit(DatagramBatch datagrams) throws IOException {
        int count = datagrams.count();
        if (count > 1 && host.strikes(Fault.PARTIAL_SEND)) {
            count = 1 + host.simulation().dice().nextInt(count);
        }
        for (int i = 0; i < count; i++) {
            try {
                transmit(datagrams.datagram(i));
            } catch (IOException e) {
                if (i > 0) {
                    return i; // the next call begins with it
                }
                throw e;
            }
        }
        return count;
    }

    private void transmit(Datagram datagram) throws IOException {
        SocketAddress to = datagram.address() == null ? peer : datagram.address();
        if (!(to instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            throw new SocketException("send: recipient " + to + " (expected: a resolved address)");
        }
        Buffer content = datagram.content();
        int length = content.readableBytes();
        if (length > MAX_LENGTH) {
            throw new SocketException("send: Message too long");
        }
        int size = datagram.segmentSize() == 0 ? Math.max(length, 1) : datagram.segmentSize();
        int at = 0;
        do {
            byte[] bytes = new byte[Math.min(size, length - at)];
            content.getBytes(content.readOffset() + at, bytes, 0, bytes.length);
            launch(bytes, inet);
            at += bytes.length;
        } while (at < length);
    }

    private void launch(byte[] bytes, InetSocketAddress to) {
        Simulation simulation = host.simulation();
        int copies = host.strikes(Fault.DUPLICATE_DATAGRAM) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            long leaving = host.leave(bytes.length + HEADERS);
            if (leaving >= 0 && !host.strikes(Fault.LOSE_DATAGRAM)) {
                long late =
                        host.strikes(Fault.LATE_DATAGRAM)
                                ? simulation.dice().nextLong(LATE_NANOS)
                                : 0;
                simulation.after(
                        leaving + simulation.faults().minLatency() + late, () -> arrive(bytes, to));
            }
        }
    }

    private void arrive(byte[] bytes, InetSocketAddress to) {
        Simulation simulation = host.simulation();
        SimHost there = hostAt(to);
        if (there == null || simulation.network().isDown(host, there)) {
            return;
        }
        SimDatagrams socket = there.datagrams(to.getPort());
        if (socket != null && socket.takesFrom(this)) {
            socket.arrived(new Arrived(bytes, socket.nameOf(this, to)));
        } else if (peer != null && !closed) {
            unreachable = true; // an ICMP message, which comes at once here
            notice.give();
        }
    }

    /// A host may have several addresses, and any of them may be that of the peer.
    private boolean takesFrom(SimDatagrams sender) {
        return peer == null
                || (peer.getPort() == sender.local.getPort() && hostAt(peer) == sender.host);
    }

    private @Nullable SimHost hostAt(InetSocketAddress address) {
        return address.getAddress().isLoopbackAddress()
                ? host
                : host.simulation().network().host(address);
    }

    /// Returns the address of `sender` as this socket sees it.
    ///
    /// @param to where `sender` sent to: a host answers at the loopback from there
    private InetSocketAddress nameOf(SimDatagrams sender, InetSocketAddress to) {
        if (peer != null) {
            return peer;
        }
        InetAddress address = to.getAddress();
        return address.isLoopbackAddress()
                ? new InetSocketAddress(address, sender.local.getPort())
                : sender.local;
    }

    /// As on Linux, one that finds room may take more than that.
    private void arrived(Arrived datagram) {
        if (arrived.size() < MAX_WAITING && arrivedWeight <= receiveBuffer()) {
            host.simulation().note(Trace.Kind.DATAGRAM, host.id(), datagram.bytes.length);
            arrived.add(datagram);
            arrivedWeight += datagram.weight();
            notice.give();
        }
    }

    /// The kernel doubles what it is asked for: its records count.
    private long receiveBuffer() {
        int wanted = options.all().get(ChannelOption.SO_RCVBUF);
        return wanted == 0 ? RECEIVE_BUFFER : 2L * options.size(ChannelOption.SO_RCVBUF);
    }

    // ---- what there is to tell ----

    @Override
    public void ready() {
        if (closed) {
            tellClosed();
            return;
        }
        if (deferred != null) {
            tellSent(deferred);
        }
        if (!closed && unreachable) {
            unreachable = false;
            events.failed(new PortUnreachableException());
        }
        if (!closed && receiving) {
            receiveReady();
        }
    }

    private void tellSent(DatagramBatch datagrams) {
        deferred = null;
        int sent;
        try {
            sent = transmit(datagrams);
        } catch (IOException e) {
            sent = 0; // tried again, the same comes out of the send
        }
        events.sent(sent);
    }

    private void receiveReady() {
        boolean some = false;
        int size = options.all().get(ChannelOption.MAX_DATAGRAM_SIZE);
        for (int i = 0; i < MAX_RECEIVES && receiving && !arrived.isEmpty(); i++) {
            Arrived next = arrived.remove();
            arrivedWeight -= next.weight();
            int length = Math.min(next.bytes.length, size);
            Buffer content = BufferAllocator.pooled().allocate(length);
            content.writeBytes(next.bytes, 0, length);
            some = true;
            events.received(new Datagram(content, next.from));
        }
        if (some && !closed) {
            events.receiveComplete();
        }
        if (receiving && !arrived.isEmpty()) {
            notice.give();
        }
    }

    @Override
    public void receive() {
        if (!receiving && !closed) {
            receiving = true;
            if (!arrived.isEmpty()) {
                notice.give();
            }
        }
    }

    @Override
    public void pause() {
        receiving = false;
    }

    // ---- the rest ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        arrived.clear();
        arrivedWeight = 0;
        host.unbindDatagrams(local.getPort());
        host.closed();
        if (deferred != null || host.strikes(Fault.LATE_CLOSE)) {
            notice.giveLater();
        } else {
            tellClosed();
        }
    }

    private void tellClosed() {
        if (!closeTold) {
            closeTold = true;
            deferred = null;
            engine.closed(this);
            events.closed();
        }
    }

    @Override
    public void abandon() {
        close(true);
        tellClosed();
    }

    @Override
    public void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source) {
        throw new UnsupportedOperationException("multicast: of a simulated socket");
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        return options.get(option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        options.set(option, value);
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return closed ? null : local;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : peer;
    }
}
