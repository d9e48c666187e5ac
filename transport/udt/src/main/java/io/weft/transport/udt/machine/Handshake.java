package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;
import java.net.InetAddress;

/// The body of a handshake packet (draft-gg-udt-03, 5.1): twelve words.
///
/// @param version 4
/// @param type [#STREAM] or [#MESSAGE]
/// @param sequence initial sequence number of the sender; a server answers with the client's
/// @param segmentSize greatest packet, with the headers of UDP and IPv4, in bytes
/// @param window packets that may be in flight towards the sender
/// @param request one of the constants, or an error above 1000
/// @param socket id of the sender's socket
/// @param cookie proof that a client receives at its address
/// @param seen address of the receiver as the sender sees it, of which nothing depends
public record Handshake(
        int version,
        int type,
        int sequence,
        int segmentSize,
        int window,
        int request,
        int socket,
        int cookie,
        InetAddress seen) {
    /// Length of the body, in bytes.
    public static final int LENGTH = 48;

    /// Version of the protocol.
    public static final int VERSION = 4;

    // Types.
    public static final int STREAM = 1;
    public static final int MESSAGE = 2;

    // Requests.
    /// First packet of a client, and the answer that brings its cookie.
    public static final int REGULAR = 1;

    /// First packet of a peer that makes a rendezvous.
    public static final int RENDEZVOUS = 0;

    /// Second packet of a client, with the cookie; and the answer that makes the connection.
    public static final int RESPONSE = -1;

    /// Answer of a peer of a rendezvous whose connection stands.
    public static final int AGREED = -2;

    /// Refusal.
    public static final int REFUSED = 1002;

    /// Value of `cookie` in places where the protocol leaves it undefined, by which this
    /// implementation knows itself: a peer that sends it understands an end of output (an empty
    /// data packet). The first packet of a client has it, the last answer of a server, and those of
    /// a rendezvous.
    public static final int HALF_CLOSURE = 0x57454654; // WEFT

    /// Reads the handshake behind the header of `packet`, which has its length.
    ///
    /// @param from address of the sender, kept in place of the one within
    public static Handshake read(Buffer packet, InetAddress from) {
        return new Handshake(
                Packets.word(packet, 0),
                Packets.word(packet, 1),
                Packets.word(packet, 2),
                Packets.word(packet, 3),
                Packets.word(packet, 4),
                Packets.word(packet, 5),
                Packets.word(packet, 6),
                Packets.word(packet, 7),
                from);
    }

    /// Writes header and body.
    ///
    /// @param destination id of the socket that it is for
    void write(Buffer to, int time, int destination) {
        Packets.control(to, Packets.HANDSHAKE, 0, time, destination);
        to.writeInt(version).writeInt(type).writeInt(sequence & Sequence.MAX);
        to.writeInt(segmentSize).writeInt(window).writeInt(request).writeInt(socket);
        to.writeInt(cookie);
        // As the reference implementation on a little-endian machine: words with their bytes
        // reversed.
        byte[] address = seen.getAddress();
        for (int i = 0; i < 16; i++) {
            int at = (i & ~3) + 3 - (i & 3);
            to.writeByte(at < address.length ? address[at] : 0);
        }
    }

    Handshake withRequest(int other) {
        return new Handshake(
                version, type, sequence, segmentSize, window, other, socket, cookie, seen);
    }

    Handshake withCookie(int other) {
        return new Handshake(
                version, type, sequence, segmentSize, window, request, socket, other, seen);
    }

    /// Tells if a connection with these values can work: the reference implementation takes no
    /// segments below 76 bytes.
    boolean isSane() {
        return segmentSize >= Packets.OUTER + LENGTH && window >= 1 && socket > 0 && sequence >= 0;
    }
}
