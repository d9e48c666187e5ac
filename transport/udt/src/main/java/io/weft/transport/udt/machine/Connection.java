package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import java.io.IOException;
import java.net.SocketException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One end of a UDT connection after its handshake: packets and the time in, packets out. It has no
/// clock, no socket and no thread.
///
/// ```
/// OPEN --close--> CLOSING --all acknowledged, or given up--> CLOSED --quiet--> GONE
///   `---abort, a peer that is gone, a shutdown of the peer while closing---------^
/// ```
///
/// The caller hands in packets ([#received]) and units to send ([#offer]), then has [#run] do what
/// is due, and calls that again after [#untilDue]. Thread: one at a time.
public final class Connection {
    private enum State {
        OPEN,
        /// Everything offered is still sent; then the peer is told.
        CLOSING,
        /// The peer was told, and is told again if it has not heard.
        CLOSED,
        GONE
    }

    /// Times that a silent peer is asked before it is taken for gone.
    private static final int MOST_PROBES = 5;

    /// Times that the pause between two probes doubles.
    private static final int DOUBLINGS = 2;

    /// Time for which a closed end answers late packets.
    private static final long QUIET = 1_000_000_000;

    private static final long SHUTDOWN_AGAIN = 100_000_000;

    private final Terms terms;
    private final Timing timing;
    private final RoundTrip roundTrip = new RoundTrip();
    private final Sender sender;
    private final Receiver receiver;
    private final Delivery delivery;
    private final long started;
    private State state = State.OPEN;
    private boolean aborted;
    private boolean peerShut;
    private @Nullable IOException failure;
    private long heardAt;
    private int probes;
    private long probeAt;
    private long sentAt;
    private long closeBy;
    private boolean shutdownSent;
    private long shutdownAt;

    /// @param random for the rate alone
    public Connection(Terms terms, Timing timing, SplittableRandom random, Inbox inbox, long now) {
        this.terms = terms;
        this.timing = timing;
        started = now;
        heardAt = now;
        sentAt = now;
        probeAt = now + timing.probe();
        RateControl rate = new RateControl(terms.segment(), terms.sequence(), now, random);
        rate.limit(timing.bytesASecond());
        delivery = new Delivery(terms.messages(), timing.message(), terms.window(), inbox);
        sender = new Sender(this, terms, roundTrip, rate, now);
        receiver = new Receiver(this, terms, roundTrip, delivery, now);
    }

    public Terms terms() {
        return terms;
    }

    // ---- what the application wants ----

    /// Takes a unit to be sent, if the connection is open.
    public void offer(SendUnit unit) {
        if (state == State.OPEN && failure == null && !peerShut) {
            sender.buffer().add(unit);
        } else {
            unit.drop();
        }
    }

    /// Returns the bytes that were offered and not acknowledged.
    public long heldBytes() {
        return sender.buffer().bytes();
    }

    /// Limits the rate, in bytes of packets a second; 0: no limit.
    public void limit(long bytesASecond) {
        sender.rate().limit(bytesASecond);
    }

    /// Closes when all that was offered is acknowledged, or after `linger` nanoseconds.
    public void close(long now, long linger) {
        if (state == State.OPEN) {
            state = failure != null ? State.GONE : State.CLOSING;
            closeBy = now + linger;
            receiver.clear();
        }
    }

    /// Closes now, whatever waits; the peer is told if it hears.
    public void abort(long now) {
        if (state == State.OPEN || state == State.CLOSING) {
            aborted = true;
            receiver.clear();
            shut(now);
        }
    }

    /// Tells if the application and the peer are done with it.
    public boolean isGone() {
        return state == State.GONE;
    }

    /// Tells if the peer has closed: nothing that is offered arrives any more.
    public boolean isPeerShut() {
        return peerShut;
    }

    /// Tells if something is missing that the peer has sent.
    boolean hasGaps() {
        return receiver.hasGaps();
    }

    /// Returns the reason why the connection ended before either side closed it; null if it did
    /// not.
    public @Nullable IOException failure() {
        return failure;
    }

    /// Returns a snapshot of what has happened so far.
    public Measures measures() {
        return new Measures(
                sender.packets(),
                sender.repeated(),
                sender.dropped(),
                receiver.packets(),
                receiver.duplicates(),
                receiver.missed(),
                sender.buffer().inFlight(),
                sender.rate().window(),
                sender.rate().period(),
                roundTrip.time(),
                sender.deliveryRate(),
                sender.capacity());
    }

    // ---- packets ----

    /// A packet has come from the peer's address for this end's id, with a whole header. It stays
    /// the caller's.
    public void received(Buffer packet, long now, PacketSink sink) {
        heardAt = now;
        probes = 0;
        probeAt = now + timing.probe();
        if (state == State.CLOSED) {
            late(packet, now, sink);
        } else if (state == State.GONE || failure != null) {
            return;
        } else if (Packets.isControl(packet)) {
            control(packet, now, sink);
        } else if (state == State.OPEN) {
            receiver.received(packet, now, sink);
        }
        IOException broken = delivery.failure();
        if (broken != null && failure == null) {
            fail(broken);
            aborted = true;
            shut(now);
        }
    }

    private void control(Buffer packet, long now, PacketSink sink) {
        int length = Packets.bodyLength(packet);
        switch (Packets.type(packet)) {
            case Packets.ACK -> {
                if (length >= 4) {
                    sender.acknowledged(packet, now, sink);
                }
            }
            case Packets.NAK -> sender.reported(packet);
            case Packets.ACK2 -> receiver.confirmed(Packets.info(packet), now);
            case Packets.DROP_REQUEST -> receiver.dropped(packet);
            case Packets.CONGESTION_WARNING -> sender.warned();
            case Packets.SHUTDOWN -> peerShuts(packet);
            default -> {
                // A keep-alive says all by coming; what is unknown is for later versions.
            }
        }
    }

    /// The reference implementation sends a shutdown when everything was acknowledged, or its
    /// linger is over: if something is missing here then, the connection was reset.
    private void peerShuts(Buffer packet) {
        peerShut = true;
        if (Packets.info(packet) == Packets.ABORTED || receiver.hasGaps()) {
            fail(new SocketException("Connection reset by peer"));
        } else {
            delivery.end();
        }
        sender.clear();
        if (state == State.CLOSING) {
            state = State.CLOSED; // this end's shutdown is the answer
            shutdownAt = heardAt;
            closeBy = heardAt;
        }
    }

    /// Something has come that crossed the shutdown, or the peer has not heard it.
    private void late(Buffer packet, long now, PacketSink sink) {
        if (Packets.isControl(packet) && Packets.type(packet) == Packets.SHUTDOWN) {
            state = State.GONE;
        } else if (now - shutdownAt >= 0) {
            sendShutdown(now, sink);
        }
    }

    private void sendShutdown(long now, PacketSink sink) {
        shutdownAt = now + SHUTDOWN_AGAIN;
        Buffer _ = control(sink, Packets.SHUTDOWN, aborted ? Packets.ABORTED : 0, 0, now);
    }

    private void fail(IOException cause) {
        failure = cause;
        sender.clear();
    }

    private void shut(long now) {
        state = State.CLOSED;
        shutdownAt = now;
        closeBy = peerShut || failure != null ? now : now + QUIET;
        sender.clear();
    }

    /// Releases everything, without a word to the peer.
    public void drop() {
        state = State.GONE;
        sender.clear();
        receiver.clear();
    }

    // ---- time ----

    /// Returns nanoseconds until [#run] has something to do, at most an hour.
    ///
    /// @param ready whether packets can be sent
    public long untilDue(long now, boolean ready) {
        long until =
                switch (state) {
                    case GONE -> Long.MAX_VALUE;
                    case CLOSED -> shutdownSent ? closeBy - now : 0;
                    case OPEN, CLOSING -> untilDueOpen(now, ready);
                };
        return Math.clamp(until, 0, 3_600_000_000_000L);
    }

    private long untilDueOpen(long now, boolean ready) {
        if (failure != null || peerShut) {
            return state == State.CLOSING ? 0 : Long.MAX_VALUE;
        }
        long until = probeAt - now;
        if (probes == 0) {
            until = Math.min(until, sentAt + timing.keepAlive() - now);
        }
        until = Math.min(until, sender.untilDue(now, ready));
        if (state == State.OPEN) {
            until = Math.min(until, receiver.untilDue(now));
        }
        if (state == State.CLOSING) {
            until = Math.min(until, sender.buffer().isEmpty() ? 0 : closeBy - now);
        }
        return until;
    }

    /// Does what is due.
    public void run(long now, PacketSink sink) {
        if ((state == State.OPEN && failure == null) || state == State.CLOSING) {
            runOpen(now, sink);
        }
        if (state == State.CLOSED) {
            if (!shutdownSent) {
                shutdownSent = true;
                sendShutdown(now, sink);
            }
            if (closeBy - now <= 0) {
                state = State.GONE;
            }
        }
    }

    private void runOpen(long now, PacketSink sink) {
        if (!peerShut) { // it answers no more, and has heard all that it waits for
            talk(now, sink);
        }
        boolean complete = failure == null && sender.buffer().isEmpty();
        if (state == State.CLOSING && (complete || failure != null || closeBy - now <= 0)) {
            aborted = !complete; // or the peer takes what it has for all
            shut(now);
        }
    }

    private void talk(long now, PacketSink sink) {
        if (state == State.OPEN) {
            receiver.report(now, sink);
        }
        sender.checkTimeout(now);
        sender.transmit(now, sink);
        if (probeAt - now <= 0) {
            probe(now, sink);
        } else if (probes == 0 && sentAt + timing.keepAlive() - now <= 0) {
            Buffer _ = control(sink, Packets.KEEP_ALIVE, 0, 0, now);
        }
    }

    /// The peer is silent. A leap of the clock alone does not end a connection: the peer has been
    /// asked so many times.
    ///
    /// It is asked less and less often: the reference implementation sends again what was lost last
    /// only when it has heard nothing for a round-trip time and four times its variation, and takes
    /// whatever comes for an answer. Asked each half second it never would where these are longer.
    private void probe(long now, PacketSink sink) {
        if (probes >= MOST_PROBES && now - heardAt >= timing.silence()) {
            fail(new SocketException("Connection timed out"));
            return;
        }
        probes++;
        probeAt = now + (timing.probe() << Math.min(probes, DOUBLINGS));
        Buffer _ = control(sink, Packets.KEEP_ALIVE, 0, 0, now);
    }

    // ---- writing ----

    private int timeStamp(long now) {
        return (int) ((now - started) / 1_000);
    }

    Buffer control(PacketSink sink, int type, int info, int body, long now) {
        sentAt = now;
        Buffer to = sink.packet(Packets.HEADER + body);
        Packets.control(to, type, info, timeStamp(now), terms.peerSocket());
        return to;
    }

    void data(PacketSink sink, int sequence, int message, Buffer payload, long now) {
        sentAt = now;
        int length = payload.readableBytes();
        Buffer to = sink.packet(Packets.HEADER + length);
        Packets.data(to, sequence, message, timeStamp(now), terms.peerSocket());
        int at = to.writeOffset();
        to.setBytes(at, payload, payload.readOffset(), length).writeOffset(at + length);
    }
}
