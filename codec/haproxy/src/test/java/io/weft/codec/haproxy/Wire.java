package io.weft.codec.haproxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// Headers and bytes of tests, as Latin-1.
final class Wire {
    static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";
    static final HaproxyLimits LIMITS = new HaproxyLimits(300, 8);

    private Wire() {}

    static ProxyAddress address(String ip, int port) {
        return new ProxyAddress.Inet(InetAddress.ofLiteral(ip), port);
    }

    static Buffer buffer(String wire) {
        byte[] bytes = wire.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static String encode(ProxyHeader header) {
        StringBuilder all = new StringBuilder();
        try (Output out = new Output()) {
            new HaproxyEncoder().encode(header, out);
            out.drain(
                    b -> {
                        try (b) {
                            all.append(b.readString(ISO_8859_1));
                        }
                    });
        }
        return all.toString();
    }

    /// The header that `wire` begins with.
    static ProxyHeader decode(String wire) {
        List<ProxyHeader> headers = new ArrayList<>();
        try (Buffer in = buffer(wire)) {
            new HaproxyDecoder().decode(in, headers::add);
        }
        return headers.getFirst();
    }

    /// A header of version 2.
    static String binary(int command, int family, String block) {
        return SIGNATURE
                + (char) command
                + (char) family
                + (char) (block.length() >> 8)
                + (char) (block.length() & 0xFF)
                + block;
    }

    static String tlv(int type, String value) {
        return ""
                + (char) type
                + (char) (value.length() >> 8)
                + (char) (value.length() & 0xFF)
                + value;
    }
}
