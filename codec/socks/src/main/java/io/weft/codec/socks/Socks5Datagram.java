package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Objects;

/// A datagram between a client and the server that relays it (RFC 1928, 7).
///
/// @param address the destination of one from the client, the source of one from the server
/// @param fragment 0 for a whole one; servers that do not reassemble drop others
/// @param data its content, which is the record's
public record Socks5Datagram(SocksAddress address, int fragment, Buffer data)
        implements AutoCloseable {
    /// Bytes of the longest header: of a name.
    private static final int MAX_HEADER = 3 + 1 + 1 + 255 + 2;

    /// @throws IllegalArgumentException when the fragment's number is out of range; the data is
    ///     released
    public Socks5Datagram {
        if (fragment < 0 || fragment > 255) {
            data.release();
            throw new IllegalArgumentException("fragment: " + fragment + " (expected: 0 to 255)");
        }
    }

    public Socks5Datagram(SocksAddress address, Buffer data) {
        this(address, 0, data);
    }

    /// Reads the header of a packet, which becomes this method's, also when it throws. The data is
    /// the packet's memory.
    ///
    /// @throws SocksException when the header is malformed
    public static Socks5Datagram decode(Buffer packet) {
        try {
            int at = packet.readOffset();
            if (packet.readableBytes() < 4) {
                throw malformed("bytes: " + packet.readableBytes() + " (expected: a header)");
            }
            if (packet.getByte(at) != 0 || packet.getByte(at + 1) != 0) {
                throw malformed("reserved bytes: not 0 (expected: 0)");
            }
            int length = SocksWire.length(packet, at + 3);
            if (length == 0) {
                throw malformed(
                        "address type: "
                                + (packet.getByte(at + 3) & 0xFF)
                                + " (expected: 1, 3 or 4)");
            }
            if (length < 0 || packet.readableBytes() < 3 + length) {
                throw malformed("bytes: " + packet.readableBytes() + " (expected: an address)");
            }
            int fragment = packet.skipReadable(2).readUnsignedByte();
            SocksAddress address = SocksWire.read(packet);
            return new Socks5Datagram(address, fragment, packet.retain());
        } catch (IllegalArgumentException e) {
            throw malformed(Objects.toString(e.getMessage()));
        } finally {
            packet.release();
        }
    }

    private static SocksException malformed(String what) {
        return new SocksException(what, null);
    }

    /// The packet, header and data, which is the caller's. The data is copied behind the header,
    /// and released.
    public Buffer encode() {
        try (data) {
            Buffer packet = BufferAllocator.pooled().allocate(MAX_HEADER + data.readableBytes());
            packet.writeShort(0).writeByte(fragment);
            SocksWire.write(address, packet);
            return packet.writeBytes(data);
        }
    }

    /// Releases the data.
    @Override
    public void close() {
        data.release();
    }
}
