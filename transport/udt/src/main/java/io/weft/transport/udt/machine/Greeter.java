package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The side that connections come to (draft-gg-udt-03, 5.2). It keeps nothing of a client before
/// that has sent back a cookie, which only a receiver at its address can know; and no answer is
/// longer than what it answers. Thread: one at a time.
public final class Greeter {
    /// Time for which a cookie is made; it is taken for up to twice as long.
    private static final long EPOCH = 60_000_000_000L;

    private static final String ALGORITHM = "HmacSHA256";

    /// The bit of a cookie that keeps whether the client understands an end of output.
    private static final int HALF_CLOSURE_BIT = 1;

    private final Offer offer;
    private final Mac mac;
    private final long started;

    /// @param secret random, at least 16 bytes
    public Greeter(Offer offer, byte[] secret, long now) {
        this.offer = offer;
        started = now;
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e); // every JDK has it, and any key will do
        }
    }

    /// A client with a good cookie.
    ///
    /// @param handshake its request
    /// @param halfClosure whether it understands an end of output
    public record Guest(Handshake handshake, boolean halfClosure) {}

    /// A handshake has come for whoever listens.
    ///
    /// @return a client to be given a connection, by [#accept]; null when the answer, if any, has
    ///     been written
    public @Nullable Guest received(
            Buffer packet, InetSocketAddress from, long now, PacketSink sink) {
        if (!Packets.isControl(packet)
                || Packets.type(packet) != Packets.HANDSHAKE
                || Packets.bodyLength(packet) != Handshake.LENGTH) {
            return null;
        }
        Handshake request = Handshake.read(packet, from.getAddress());
        if (!request.isSane()) {
            return null;
        }
        long epoch = (now - started) / EPOCH;
        if (request.request() == Handshake.REGULAR) {
            boolean half = request.cookie() == Handshake.HALF_CLOSURE;
            answer(request.withCookie(cookie(request, from, epoch, half)), request, sink);
            return null;
        }
        if (request.request() != Handshake.RESPONSE) {
            return null;
        }
        boolean half = (request.cookie() & HALF_CLOSURE_BIT) != 0;
        if (request.cookie() != cookie(request, from, epoch, half)
                && request.cookie() != cookie(request, from, epoch - 1, half)) {
            return null;
        }
        if (request.version() != Handshake.VERSION || request.type() != offer.type()) {
            refuse(request, sink);
            return null;
        }
        return new Guest(request, half);
    }

    private int cookie(Handshake request, InetSocketAddress from, long epoch, boolean half) {
        byte[] address = from.getAddress().getAddress();
        ByteBuffer input = ByteBuffer.allocate(21 + address.length);
        input.put(address).putInt(from.getPort()).putLong(epoch);
        input.putInt(request.socket()).putInt(request.sequence()).put((byte) (half ? 1 : 0));
        int value = ByteBuffer.wrap(mac.doFinal(input.array())).getInt();
        return (value & ~HALF_CLOSURE_BIT) | (half ? HALF_CLOSURE_BIT : 0);
    }

    private static void answer(Handshake answer, Handshake request, PacketSink sink) {
        answer.write(sink.packet(Packets.HEADER + Handshake.LENGTH), 0, request.socket());
    }

    /// Tells a client that it gets no connection.
    public void refuse(Handshake request, PacketSink sink) {
        answer(request.withRequest(Handshake.REFUSED), request, sink);
    }

    /// Returns the terms of a connection with the client.
    ///
    /// @param socket id of this side, random, above 0
    public Terms terms(Guest guest, int socket) {
        Handshake request = guest.handshake();
        return Terms.of(request, offer, socket, request.sequence(), guest.halfClosure());
    }

    /// Tells the client that it has a connection with these terms; again, when it asks again.
    public void accept(Guest guest, Terms terms, PacketSink sink) {
        Handshake request = guest.handshake();
        Handshake accepted =
                new Handshake(
                        Handshake.VERSION,
                        offer.type(),
                        request.sequence(),
                        terms.segment(),
                        offer.window(),
                        Handshake.RESPONSE,
                        terms.socket(),
                        guest.halfClosure() ? Handshake.HALF_CLOSURE : request.cookie(),
                        request.seen());
        answer(accepted, request, sink);
    }
}
