package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.loop.Timeout;
import io.weft.transport.udt.machine.Connection;
import io.weft.transport.udt.machine.Initiator;
import io.weft.transport.udt.machine.Measures;
import io.weft.transport.udt.machine.Offer;
import io.weft.transport.udt.machine.PacketSink;
import io.weft.transport.udt.machine.Packets;
import io.weft.transport.udt.machine.SendUnit;
import io.weft.transport.udt.machine.Terms;
import io.weft.transport.udt.machine.Timing;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection at its port: drives the machine by packets, by its timer and by what the channel
/// has asked for. On the port's loop.
final class Session {
    private final UdtPort port;
    private final int id;
    private final UdtAddress address;
    private final UdtStream stream;
    private final PacketSink sink;
    private final @Nullable Initiator initiator;
    private @Nullable Connection connection;
    private @Nullable Timeout timer;
    private boolean finishing;
    private boolean failureTold;
    private boolean gone;

    private Session(
            UdtPort port,
            int id,
            UdtAddress address,
            UdtStream stream,
            @Nullable Initiator initiator) {
        this.port = port;
        this.id = id;
        this.address = address;
        this.stream = stream;
        this.initiator = initiator;
        sink = port.sink(address.socket());
    }

    static Session connecting(UdtPort port, int id, UdtAddress address, UdtStream stream) {
        Initiator initiator =
                new Initiator(
                        address.isRendezvous(),
                        offer(address),
                        address.socket().getAddress(),
                        id,
                        port.random.nextInt(),
                        port.now());
        return new Session(port, id, address, stream, initiator);
    }

    /// @param address of the peer, with the listener's limits
    static Session accepted(UdtPort port, UdtAddress address, UdtStream stream, Terms terms) {
        Session session = new Session(port, terms.socket(), address, stream, null);
        session.established(terms, port.now());
        return session;
    }

    static Offer offer(UdtAddress address) {
        return new Offer(
                address.mode() == UdtMode.MESSAGE,
                address.limits().segment(),
                address.limits().window());
    }

    int id() {
        return id;
    }

    UdtPort port() {
        return port;
    }

    boolean isFrom(InetSocketAddress sender) {
        return address.socket().equals(sender);
    }

    boolean isRendezvous() {
        return address.isRendezvous();
    }

    boolean isGone() {
        return gone;
    }

    private void established(Terms terms, long now) {
        UdtLimits limits = address.limits();
        Timing timing =
                new Timing(
                        limits.greatestMessage(),
                        limits.keepAlive().toNanos(),
                        limits.silence().toNanos(),
                        stream.maxRate());
        // Not the port's generator: these numbers are no secrets, and many.
        SplittableRandom random = new SplittableRandom(terms.sequence());
        connection = new Connection(terms, timing, random, stream, now);
        stream.established(terms);
    }

    // ---- events ----

    void received(Buffer packet, long now) {
        Connection open = connection;
        boolean handshake = Packets.isControl(packet) && Packets.type(packet) == Packets.HANDSHAKE;
        if (initiator != null && (open == null || handshake)) {
            initiator.received(packet, address.socket().getAddress(), now, sink);
            Terms terms = initiator.terms();
            if (open == null && terms != null) {
                established(terms, now);
                open = connection;
            }
        }
        if (open != null && !handshake) {
            open.received(packet, now, sink);
        }
    }

    /// There is no socket at the peer's port. Of a rendezvous, the peer may come yet; and an open
    /// connection goes by what its peer says.
    void unreachable(IOException cause) {
        if (connection == null && !isRendezvous()) {
            refused(new ConnectException("Connection refused"), cause);
        }
    }

    private void refused(ConnectException refusal, @Nullable Throwable cause) {
        ConnectException named =
                new ConnectException("connect " + address + ": " + refusal.getMessage());
        if (cause != null) {
            named.initCause(cause);
        }
        drop(named);
    }

    /// Does what is due, and sets the timer to the next time.
    void run(long now) {
        if (gone) {
            return;
        }
        Connection open = connection;
        if (open == null) {
            runInitiator(now);
        } else {
            runConnection(open, now);
        }
        if (!gone) {
            setTimer(open, now);
        }
        stream.tellNews();
    }

    private void runInitiator(long now) {
        if (initiator == null || stream.isClosing()) {
            drop(null);
            return;
        }
        ConnectException refusal = initiator.refusal();
        if (refusal != null) {
            refused(refusal, null);
            return;
        }
        initiator.run(now, sink);
    }

    private void runConnection(Connection open, long now) {
        open.limit(stream.maxRate());
        finishing |= stream.pull(open);
        if (finishing) {
            finish(open, now);
        }
        switch (stream.closing()) {
            case NONE -> {}
            case ORDERLY -> open.close(now, address.limits().linger().toNanos());
            case RESET -> open.abort(now);
        }
        open.run(now, sink);
        stream.unacknowledged(open.heldBytes(), open.isPeerShut());
        stream.measured(now, open);
        IOException failure = open.failure();
        if (failure != null && !failureTold) {
            failureTold = true;
            stream.broken(failure);
        }
        if (open.isGone()) {
            drop(null);
        }
    }

    /// The channel sends nothing more. A peer that knows no end of output hears of it by the end of
    /// all, when it has everything.
    private void finish(Connection open, long now) {
        if (open.terms().halfClosure()) {
            try {
                int flags = Packets.FIRST | Packets.LAST | Packets.IN_ORDER;
                Buffer nothing = BufferAllocator.pooled().allocate(1);
                open.offer(new SendUnit(nothing, flags, SendUnit.NEVER));
                finishing = false;
            } catch (MemoryLimitException e) {
                // The next run tries again.
            }
        } else if (open.heldBytes() == 0) {
            finishing = false;
            stream.end();
            open.close(now, 0);
        }
    }

    private void setTimer(@Nullable Connection open, long now) {
        long delay =
                open != null
                        ? open.untilDue(now, port.isReady())
                        : initiator != null ? initiator.untilDue(now) : 0;
        Timeout set = timer;
        if (set != null && set.rearm(delay, TimeUnit.NANOSECONDS)) {
            return;
        }
        try {
            timer = port.loop.schedule(this::due, delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The loop ends, and its engine closes the port.
        }
    }

    private void due() {
        timer = null;
        port.runNow(this);
    }

    /// Ends without a word to the peer.
    void drop(@Nullable IOException cause) {
        if (gone) {
            return;
        }
        gone = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (connection != null) {
            connection.drop();
        }
        stream.detached(cause);
        stream.tellNews();
    }

    UdtStatistics statistics() {
        return connection == null ? UdtStatistics.NONE : statistics(connection);
    }

    static UdtStatistics statistics(Connection open) {
        Measures measures = open.measures();
        return new UdtStatistics(
                measures.sent(),
                measures.repeated(),
                measures.dropped(),
                measures.received(),
                measures.duplicates(),
                measures.missed(),
                measures.inFlight(),
                measures.window(),
                1e6 / measures.period(),
                Duration.ofNanos(measures.roundTrip() * 1_000),
                measures.deliveryRate(),
                measures.capacity());
    }
}
