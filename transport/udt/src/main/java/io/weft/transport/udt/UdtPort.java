package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramEvents;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import io.weft.transport.udt.machine.PacketSink;
import io.weft.transport.udt.machine.Packets;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A UDP socket and all connections over it, found by the ids in their packets; perhaps a listener.
/// It closes when there is neither.
///
/// Everything here is on the loop that opened the socket, whichever loops have the channels.
final class UdtPort implements DatagramEvents {
    private static final int BUFFER = 1 << 20;

    /// Holds 16 packets, which go out at once before anything is known of the path, with what
    /// kernels count for each. Where they find no room, each connection begins with losses.
    private static final int LEAST_BUFFER = 64 << 10;

    /// The socket takes packets of so many bytes at the least.
    private static final int LEAST_PACKET = 2048;

    private static final long RETRY_MILLIS = 10;

    /// Ports that connections of a loop may share.
    private static final Map<Key, UdtPort> SHARED = new ConcurrentHashMap<>();

    private record Key(EventExecutor loop, InetSocketAddress local) {}

    final EventExecutor loop;
    final RandomGenerator random;
    private final int longestPacket;
    private final Outlet outlet;
    private final Map<Integer, Session> sessions = new LinkedHashMap<>();

    /// Sessions that have got packets, or room to send.
    private final Set<Session> touched = new LinkedHashSet<>();

    private @Nullable DatagramHandle handle;
    private @Nullable InetSocketAddress bound;
    private @Nullable Key key;
    private @Nullable UdtListener listener;
    private boolean inBatch;
    private long batchTime;
    private boolean closed;

    private UdtPort(
            EventExecutor loop, ChannelOptions options, boolean connected, UdtLimits limits) {
        this.loop = loop;
        random = options.get(UdtOption.RANDOM);
        longestPacket = Math.max(limits.segment(), LEAST_PACKET);
        outlet = new Outlet(connected, longestPacket);
    }

    // ---- beginning ----

    static ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            UdtAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        if (address.local() != null) {
            throw new BindException("bind " + address + ": with an address to connect from");
        }
        UdtPort port = open(loop, engine, address.socket(), null, address, options);
        try {
            UdtListener made = new UdtListener(port, address.at(port.bound()), options, events);
            port.listener = made;
            return made;
        } finally {
            port.closeIfUnused(); // if that failed
        }
    }

    static StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            UdtAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        InetSocketAddress local = address.local();
        UdtPort port = null;
        if (local == null) {
            port = open(loop, engine, null, address.socket(), address, options);
        } else {
            port = SHARED.get(new Key(loop, local));
            if (port == null) {
                port = open(loop, engine, local, null, address, options);
                port.share(new Key(loop, port.bound()));
            }
        }
        try {
            return port.begin(address, options, events);
        } finally {
            port.closeIfUnused(); // if that failed
        }
    }

    private UdtStream begin(UdtAddress address, ChannelOptions options, StreamEvents events) {
        UdtAddress peer = fitting(address);
        UdtStream stream = new UdtStream(peer.at(bound()), peer, options);
        Session session = Session.connecting(this, newId(), peer, stream);
        sessions.put(session.id(), session);
        stream.begin(session, loop, events);
        run(session, now());
        outlet.flush();
        return stream;
    }

    /// Returns the address with limits that this port can keep: its socket, which may have been
    /// opened for a connection with other limits, cuts longer packets off.
    private UdtAddress fitting(UdtAddress address) {
        UdtLimits limits = address.limits();
        return limits.segment() <= longestPacket
                ? address
                : address.with(limits.withSegment(longestPacket));
    }

    private static UdtPort open(
            EventExecutor loop,
            Engine engine,
            @Nullable InetSocketAddress local,
            @Nullable InetSocketAddress peer,
            UdtAddress address,
            ChannelOptions options)
            throws IOException {
        UdtLimits limits = address.limits();
        UdtPort port = new UdtPort(loop, options, peer != null, limits);
        DatagramHandle socket;
        try {
            socket = engine.datagrams(local, peer, port.ofSocket(options), port);
        } catch (Throwable t) {
            port.outlet.close();
            throw t;
        }
        port.handle = socket;
        port.outlet.sendsBy(socket);
        port.bound = (InetSocketAddress) socket.localAddress();
        if (port.bound == null) {
            socket.close(true);
            throw new SocketException("bind " + local + ": no local address");
        }
        socket.receive();
        return port;
    }

    private ChannelOptions ofSocket(ChannelOptions options) {
        ChannelOptions all =
                options.with(ChannelOption.UDP_GRO, true)
                        .with(ChannelOption.MAX_DATAGRAM_SIZE, longestPacket);
        for (ChannelOption<Integer> buffer :
                List.of(ChannelOption.SO_RCVBUF, ChannelOption.SO_SNDBUF)) {
            all = all.isSet(buffer) ? all : all.with(buffer, BUFFER);
        }
        int receive = all.get(ChannelOption.SO_RCVBUF);
        all = all.with(ChannelOption.SO_RCVBUF, Math.max(receive, LEAST_BUFFER));
        return all;
    }

    private void share(Key shared) {
        key = shared;
        SHARED.put(shared, this);
    }

    InetSocketAddress bound() {
        if (bound == null) {
            throw new IllegalStateException("port: not bound (expected: open)");
        }
        return bound;
    }

    long now() {
        return loop.clock().nanoTime();
    }

    PacketSink sink(InetSocketAddress peer) {
        return outlet.sink(peer);
    }

    boolean isReady() {
        return outlet.isReady();
    }

    /// Returns an id that no connection of this port has.
    int newId() {
        int id;
        do {
            id = random.nextInt() & 0x7FFF_FFFF;
        } while (id == 0 || sessions.containsKey(id));
        return id;
    }

    int connections() {
        return sessions.size();
    }

    void add(Session session) {
        sessions.put(session.id(), session);
        touched.add(session);
    }

    // ---- packets ----

    @Override
    public void received(Datagram datagram) {
        try (datagram) {
            if (!inBatch) {
                inBatch = true;
                batchTime = now();
            }
            Buffer packet = datagram.content();
            if (!closed
                    && packet.readableBytes() >= Packets.HEADER
                    && datagram.address() instanceof InetSocketAddress from) {
                dispatch(packet, from);
            }
        }
    }

    private void dispatch(Buffer packet, InetSocketAddress from) {
        int id = Packets.destination(packet);
        Session session = id == 0 ? meeting(from) : sessions.get(id);
        if (session != null) {
            if (session.isFrom(from)) { // or somebody guesses ids
                touched.add(session);
                guard(session, () -> session.received(packet, batchTime));
            }
        } else if (id == 0 && listener != null) {
            listener.received(packet, from, batchTime);
        }
    }

    /// Returns the rendezvous with this peer, which does not know an id at first.
    private @Nullable Session meeting(InetSocketAddress from) {
        if (listener != null) {
            return null;
        }
        for (Session session : sessions.values()) {
            if (session.isRendezvous() && session.isFrom(from)) {
                return session;
            }
        }
        return null;
    }

    @Override
    public void receiveComplete() {
        inBatch = false;
        runTouched();
    }

    private void runTouched() {
        long now = now();
        while (!touched.isEmpty()) {
            Session next = touched.iterator().next();
            touched.remove(next);
            run(next, now);
        }
        outlet.flush();
    }

    /// Has the session do what is due; on a task of its, or a timer.
    void runNow(Session session) {
        if (!closed) {
            run(session, now());
            outlet.flush();
        }
    }

    /// A failure costs that connection, not the port.
    private static void guard(Session session, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            session.drop(new IOException("connection: " + e, e));
        }
    }

    private void run(Session session, long now) {
        guard(session, () -> session.run(now));
        if (session.isGone()) {
            sessions.remove(session.id(), session);
            touched.remove(session);
            closeIfUnused();
        }
    }

    @Override
    public void sent(int count) {
        outlet.sent(count);
        if (outlet.isReady()) {
            touched.addAll(sessions.values());
            runTouched();
        }
    }

    /// An answer of the network to something sent, or no memory.
    @Override
    public void failed(IOException cause) {
        if (cause instanceof PortUnreachableException) {
            for (Session session : List.copyOf(sessions.values())) {
                session.unreachable(cause);
                run(session, now());
            }
            return;
        }
        try {
            var _ = loop.schedule(this::receiveAgain, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The loop ends, and its engine closes the socket.
        }
    }

    private void receiveAgain() {
        if (handle != null) {
            handle.receive();
        }
    }

    // ---- the end ----

    void listenerClosed() {
        listener = null;
        closeIfUnused();
    }

    private void closeIfUnused() {
        if (!closed && sessions.isEmpty() && listener == null) {
            outlet.flush();
            close();
        }
    }

    private void close() {
        closed = true;
        if (key != null) {
            SHARED.remove(key, this);
        }
        if (handle != null) {
            handle.close(false);
        }
    }

    @Override
    public void closed() {
        outlet.close();
        handle = null;
        if (!closed) { // the engine ends
            close();
            UdtListener open = listener;
            if (open != null) {
                open.close();
            }
            for (Session session : List.copyOf(sessions.values())) {
                session.drop(new SocketException("Socket closed"));
            }
            sessions.clear();
        }
    }
}
