package io.weft.transport.udt.machine;

import io.weft.buffer.Buffer;

/// The header of packets (draft-gg-udt-03, 2): 16 bytes, in network byte order.
///
/// ```
/// data     |0| sequence number            | |ff|o| message number | time stamp | destination |
/// control  |1| type (15) | subtype (16)   | additional info       | time stamp | destination |
/// ```
public final class Packets {
    /// Length of the header, in bytes.
    public static final int HEADER = 16;

    /// Bytes of the headers of IPv4 and UDP, which a segment size counts in (draft, 5.1).
    public static final int OUTER = 28;

    // Types of control packets.
    public static final int HANDSHAKE = 0;
    public static final int KEEP_ALIVE = 1;
    public static final int ACK = 2;
    public static final int NAK = 3;
    public static final int CONGESTION_WARNING = 4;
    public static final int SHUTDOWN = 5;
    public static final int ACK2 = 6;
    public static final int DROP_REQUEST = 7;

    /// Additional info of a [#SHUTDOWN] by which this implementation tells an abort from an orderly
    /// end. The draft leaves the field undefined, and the reference implementation sends 0.
    public static final int ABORTED = 1;

    // Bits of the message word.
    public static final int FIRST = 0x8000_0000;
    public static final int LAST = 0x4000_0000;
    public static final int IN_ORDER = 0x2000_0000;

    /// Greatest message number.
    public static final int MAX_MESSAGE = 0x1FFF_FFFF;

    private Packets() {}

    /// Tells if `packet`, of which at least the header is readable, is one of control.
    public static boolean isControl(Buffer packet) {
        return packet.getInt(packet.readOffset()) < 0;
    }

    /// Returns the type of a control packet.
    public static int type(Buffer packet) {
        return packet.getInt(packet.readOffset()) >> 16 & 0x7FFF;
    }

    /// Returns the sequence number of a data packet.
    public static int sequence(Buffer packet) {
        return packet.getInt(packet.readOffset());
    }

    /// Returns the message word of a data packet, or the additional info of one of control.
    public static int info(Buffer packet) {
        return packet.getInt(packet.readOffset() + 4);
    }

    /// Returns the id of the socket that `packet` is for; 0: a handshake for whoever listens.
    public static int destination(Buffer packet) {
        return packet.getInt(packet.readOffset() + 12);
    }

    /// Returns the word at `index` behind the header.
    static int word(Buffer packet, int index) {
        return packet.getInt(packet.readOffset() + HEADER + 4 * index);
    }

    /// Returns the number of bytes behind the header.
    static int bodyLength(Buffer packet) {
        return packet.readableBytes() - HEADER;
    }

    static void data(Buffer to, int sequence, int message, int time, int destination) {
        to.writeInt(sequence).writeInt(message).writeInt(time).writeInt(destination);
    }

    static void control(Buffer to, int type, int info, int time, int destination) {
        to.writeInt(0x8000_0000 | type << 16).writeInt(info).writeInt(time).writeInt(destination);
    }
}
