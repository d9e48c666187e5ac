package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import java.net.ConnectException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// The side that begins a connection (draft-gg-udt-03, 5): a client, or a peer of a rendezvous,
/// where both begin. Repeats its request until there is an answer. Thread: one at a time.
public final class Initiator {
    private static final long AGAIN = 250_000_000;

    private final boolean rendezvous;
    private final Offer offer;
    private final int sequence;
    private final int socket;
    private Handshake request;
    private int destination;
    private long requestAt;
    private @Nullable Handshake peer;
    private boolean halfClosure;
    private @Nullable Terms terms;
    private @Nullable ConnectException refusal;

    /// @param peer address of the other side
    /// @param socket id of this side, random, above 0
    /// @param sequence of the first packet, random
    public Initiator(
            boolean rendezvous, Offer offer, InetAddress peer, int socket, int sequence, long now) {
        this.rendezvous = rendezvous;
        this.offer = offer;
        this.socket = socket;
        this.sequence = sequence & Sequence.MAX;
        request =
                new Handshake(
                        Handshake.VERSION,
                        offer.type(),
                        this.sequence,
                        offer.segment(),
                        offer.window(),
                        rendezvous ? Handshake.RENDEZVOUS : Handshake.REGULAR,
                        socket,
                        Handshake.HALF_CLOSURE,
                        peer);
        requestAt = now;
    }

    /// Returns what was settled; null before that.
    public @Nullable Terms terms() {
        return terms;
    }

    /// Returns the reason why there is no connection; null unless the peer has refused.
    public @Nullable ConnectException refusal() {
        return refusal;
    }

    /// Returns nanoseconds until [#run] has something to do.
    public long untilDue(long now) {
        return Math.max(requestAt - now, 0);
    }

    /// Sends the request if it is due.
    public void run(long now, PacketSink sink) {
        if (terms == null && requestAt - now <= 0) {
            requestAt = now + AGAIN;
            request.write(sink.packet(Packets.HEADER + Handshake.LENGTH), 0, destination);
        }
    }

    /// A packet has come from the peer's address, with a whole header. [#terms] or [#refusal] tells
    /// if it was the last that was needed.
    public void received(Buffer packet, InetAddress from, long now, PacketSink sink) {
        boolean handshake = Packets.isControl(packet) && Packets.type(packet) == Packets.HANDSHAKE;
        if (!handshake) {
            // Of a rendezvous: the peer has a connection already.
            Handshake known = peer;
            if (terms == null && known != null && Packets.destination(packet) == socket) {
                settle(known);
            }
        } else if (Packets.bodyLength(packet) == Handshake.LENGTH) {
            Handshake received = Handshake.read(packet, from);
            if (terms != null) {
                again(received, sink);
            } else if (rendezvous) {
                meet(received, now);
            } else {
                answered(received, now);
            }
            run(now, sink);
        }
    }

    // ---- client and server ----

    private void answered(Handshake answer, long now) {
        if (answer.sequence() != sequence && answer.request() <= 1000) {
            return; // not to this request
        }
        if (answer.request() > 1000) {
            refusal = new ConnectException("Connection refused");
        } else if (answer.request() == Handshake.REGULAR) {
            request = request.withRequest(Handshake.RESPONSE).withCookie(answer.cookie());
            requestAt = now;
        } else if (answer.request() == Handshake.RESPONSE && answer.isSane()) {
            halfClosure = answer.cookie() == Handshake.HALF_CLOSURE;
            settle(answer);
        }
    }

    private void settle(Handshake answer) {
        terms = Terms.of(answer, offer, socket, sequence, halfClosure);
    }

    // ---- rendezvous ----

    private void meet(Handshake other, long now) {
        boolean known = peer != null && peer.socket() == other.socket();
        if (other.request() == Handshake.REGULAR || !other.isSane()) {
            return; // a client, which wants a listener
        }
        if (other.request() == Handshake.AGREED) {
            if (known) {
                settle(other);
            }
            return;
        }
        if (other.version() != Handshake.VERSION || other.type() != offer.type()) {
            return;
        }
        boolean first =
                request.request() == Handshake.RENDEZVOUS
                        || other.request() == Handshake.RENDEZVOUS
                        || !known;
        peer = other;
        halfClosure = other.cookie() == Handshake.HALF_CLOSURE;
        if (first) {
            request = request.withRequest(Handshake.RESPONSE);
            destination = other.socket();
            requestAt = now;
        } else {
            settle(other);
        }
    }

    /// The peer repeats its request: it has not heard that the connection stands.
    private void again(Handshake other, PacketSink sink) {
        if (rendezvous && other.request() != Handshake.AGREED) {
            request.withRequest(Handshake.AGREED)
                    .write(sink.packet(Packets.HEADER + Handshake.LENGTH), 0, destination);
        }
    }
}
