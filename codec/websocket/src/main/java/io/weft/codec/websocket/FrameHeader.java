package io.weft.codec.websocket;

import io.weft.buffer.Buffer;

/// The header of the frame that is being read (RFC 6455, 5.2), and its rules.
///
/// ```
///  0                   1                   2                   3
/// |F|R R R|opcode |M|  length   |    16 or 64 bits of length    | key of 32 bits, if M |
/// ```
final class FrameHeader {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FIN = 0x80;
    private static final int MASK = 0x80;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    private final Role role;
    private final int extensions;

    boolean fin;
    int reserved;
    int opcode;

    /// Of the payload.
    long length;

    /// Of the payload's next byte; 0 changes nothing.
    int key;

    /// @param role of this end
    /// @param extensions the reserved bits that a message may have
    FrameHeader(Role role, int extensions) {
        this.role = role;
        this.extensions = extensions;
    }

    boolean isControl() {
        return opcode >= CLOSE;
    }

    /// Takes a header, once it is whole. What its first bytes break is told before.
    ///
    /// @param within whether a message has begun and is not over
    /// @return false when bytes are missing; none is taken then
    boolean read(Buffer in, boolean within) {
        int available = in.readableBytes();
        if (available == 0) {
            return false;
        }
        int at = in.readOffset();
        first(in.getUnsignedByte(at), within);
        if (available == 1) {
            return false;
        }
        int second = in.getUnsignedByte(at + 1);
        checkMask((second & MASK) != 0);
        int size = second & ~MASK;
        if (isControl() && size > WebSocketFrame.MAX_CONTROL) {
            // RFC 6455, 5.5
            throw WebSocketException.protocol(
                    "control frame: length field " + size + " (expected: at most 125)");
        }
        int key = 2 + (size == LENGTH_64 ? 8 : size == LENGTH_16 ? 2 : 0);
        if (available < key) {
            return false;
        }
        length = size < LENGTH_16 ? size : longer(in, at + 2, size);
        boolean masked = role == Role.SERVER;
        if (masked && available < key + 4) {
            return false;
        }
        this.key = masked ? in.getInt(at + key) : 0;
        in.skipReadable(masked ? key + 4 : key);
        return true;
    }

    private void first(int b, boolean within) {
        fin = (b & FIN) != 0;
        reserved = b >> 4 & 7;
        opcode = b & 15;
        boolean known = opcode <= BINARY || (opcode >= CLOSE && opcode <= PONG);
        if (!known) {
            throw WebSocketException.protocol("opcode: " + opcode + " (expected: 0-2 or 8-10)");
        }
        // RFC 7692, 6: the bit is the first frame's.
        int allowed = opcode == TEXT || opcode == BINARY ? extensions : 0;
        if ((reserved & ~allowed) != 0) {
            throw WebSocketException.protocol(
                    "reserved bits: " + reserved + " (expected: none but of " + allowed + ")");
        }
        if (isControl()) {
            if (!fin) {
                throw WebSocketException.protocol("control frame: in fragments (expected: whole)");
            }
        } else if (within != (opcode == CONTINUATION)) {
            // RFC 6455, 5.4: messages do not interleave.
            throw WebSocketException.protocol(
                    "opcode: "
                            + opcode
                            + (within ? " within" : " without")
                            + " a message (expected: "
                            + (within ? "0)" : "1 or 2)"));
        }
    }

    private void checkMask(boolean masked) {
        // RFC 6455, 5.1: the other side's bytes cannot be chosen by who sends through a proxy.
        if (masked != (role == Role.SERVER)) {
            throw WebSocketException.protocol(
                    masked
                            ? "server's frame: masked (expected: not masked)"
                            : "client's frame: not masked (expected: masked)");
        }
    }

    /// RFC 6455, 5.2: the shortest form of a length is the only one.
    private static long longer(Buffer in, int at, int size) {
        boolean short16 = size == LENGTH_16;
        long value = short16 ? in.getUnsignedShort(at) : in.getLong(at);
        long least = short16 ? LENGTH_16 : 1 << 16;
        if (value < least) {
            throw WebSocketException.protocol(
                    "length: "
                            + Long.toUnsignedString(value)
                            + " in "
                            + (short16 ? 16 : 64)
                            + " bits (expected: from "
                            + least
                            + ", below 2^63)");
        }
        return value;
    }

    /// `taken` bytes of the payload were read.
    void took(int taken) {
        length -= taken;
        key = Masking.after(key, taken);
    }
}
