package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Addresses on the wire (RFC 1928, 5), and the strings of both versions.
final class SocksWire {
    static final int IPV4 = 1;
    static final int NAME = 3;
    static final int IPV6 = 4;

    private SocksWire() {}

    /// Bytes of the address whose type is at `at`, type and port counted; -1 if its length byte has
    /// not arrived yet, 0 if there is no such type.
    static int length(Buffer in, int at) {
        return switch (in.getByte(at)) {
            case IPV4 -> 1 + 4 + 2;
            case IPV6 -> 1 + 16 + 2;
            case NAME -> in.writeOffset() - at < 2 ? -1 : 1 + 1 + (in.getByte(at + 1) & 0xFF) + 2;
            default -> 0;
        };
    }

    /// Reads the address that begins at the read offset, all of which is there.
    ///
    /// @throws IllegalArgumentException when its name is invalid
    static SocksAddress read(Buffer in) {
        int type = in.readByte();
        byte[] bytes =
                switch (type) {
                    case IPV4 -> new byte[4];
                    case IPV6 -> new byte[16];
                    default -> new byte[in.readUnsignedByte()];
                };
        in.readBytes(bytes);
        int port = in.readUnsignedShort();
        return type == NAME
                ? new SocksAddress.Name(new String(bytes, StandardCharsets.ISO_8859_1), port)
                : new SocksAddress.Ip(ip(bytes), port);
    }

    static void write(SocksAddress address, Buffer out) {
        switch (address) {
            case SocksAddress.Ip(InetAddress ip, _) -> {
                byte[] bytes = ip.getAddress();
                out.writeByte(bytes.length == 4 ? IPV4 : IPV6).writeBytes(bytes);
            }
            case SocksAddress.Name(String host, _) ->
                    out.writeByte(NAME).writeByte(host.length()).writeAscii(host);
        }
        out.writeShort(address.port());
    }

    static InetAddress ip(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /// The text of `length` bytes at `at`; null if they are not UTF-8.
    static @Nullable String utf8(Buffer in, int at, int length) {
        byte[] bytes = bytes(in, at, length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    static byte[] bytes(Buffer in, int at, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = in.getByte(at + i);
        }
        return bytes;
    }
}
