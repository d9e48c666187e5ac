package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The line of version 1: `PROXY TCP4 192.0.2.1 198.51.100.2 56324 443` and CRLF.
final class TextHeader {
    /// The longest line: UNKNOWN with two addresses of IPv6 and two ports.
    static final int MAX_LENGTH = 107;

    private static final int PREFIX = "PROXY ".length();

    private TextHeader() {}

    /// Bytes of the line with its CRLF; -1 if that has not arrived.
    static int length(Buffer in) {
        int at = in.readOffset();
        int last = Math.min(in.readableBytes(), MAX_LENGTH);
        for (int i = PREFIX; i < last; i++) {
            int b = in.getByte(at + i) & 0xFF;
            if (b == '\r') {
                if (i + 1 < last) {
                    if (in.getByte(at + i + 1) != '\n') {
                        throw malformed(in, i + 2, "CR without LF");
                    }
                    return i + 2;
                }
            } else if (b < ' ' || b > '~') {
                throw malformed(in, i + 1, "a control");
            }
        }
        if (last == MAX_LENGTH) {
            throw new HaproxyException(
                    "bytes of the line: more (expected: at most " + MAX_LENGTH + ")");
        }
        return -1;
    }

    static ProxyHeader parse(Buffer in, int length) {
        int at = in.readOffset();
        byte[] bytes = new byte[length - PREFIX - 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = in.getByte(at + PREFIX + i);
        }
        String line = new String(bytes, StandardCharsets.US_ASCII);
        // Whatever stands behind UNKNOWN is to be ignored.
        if (line.equals("UNKNOWN") || line.startsWith("UNKNOWN ")) {
            return ProxyHeader.unknown();
        }
        String[] words = line.split(" ", -1);
        boolean four = words[0].equals("TCP4");
        if ((!four && !words[0].equals("TCP6")) || words.length != 5) {
            throw malformed(in, length, "no line of TCP4, TCP6 or UNKNOWN");
        }
        InetAddress source = address(in, length, words[1], four);
        InetAddress destination = address(in, length, words[2], four);
        try {
            return new ProxyHeader(
                    ProxyVersion.V1,
                    false,
                    four ? Transport.TCP4 : Transport.TCP6,
                    new ProxyAddress.Inet(source, port(in, length, words[3])),
                    new ProxyAddress.Inet(destination, port(in, length, words[4])),
                    List.of());
        } catch (IllegalArgumentException e) {
            throw new HaproxyException(Objects.toString(e.getMessage()));
        }
    }

    private static InetAddress address(Buffer in, int length, String text, boolean four) {
        boolean shape =
                four
                        ? text.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}")
                        : text.indexOf(':') >= 0 && text.matches("[0-9a-fA-F:.]+");
        try {
            if (shape) {
                return InetAddress.ofLiteral(text);
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw malformed(in, length, "no address of " + (four ? "IPv4" : "IPv6"));
    }

    private static int port(Buffer in, int length, String text) {
        int port = text.matches("0|[1-9][0-9]{0,4}") ? Integer.parseInt(text) : -1;
        if (port < 0 || port > 65_535) {
            throw malformed(in, length, "no port");
        }
        return port;
    }

    private static HaproxyException malformed(Buffer in, int length, String what) {
        int at = in.readOffset();
        return new HaproxyException(
                "line: "
                        + DecoderException.quote(in, at, at + length)
                        + ": "
                        + what
                        + " (expected: PROXY TCP4|TCP6 source destination port port, and CRLF)");
    }

    static void write(ProxyHeader header, Buffer out) {
        if (!(header.source() instanceof ProxyAddress.Inet source)
                || !(header.destination() instanceof ProxyAddress.Inet destination)) {
            out.writeAscii("PROXY UNKNOWN\r\n");
            return;
        }
        boolean four = header.transport() == Transport.TCP4;
        out.writeAscii("PROXY ")
                .writeAscii(header.transport().name())
                .writeByte(' ')
                .writeAscii(text(source.address(), four))
                .writeByte(' ')
                .writeAscii(text(destination.address(), four))
                .writeAscii(" " + source.port() + " " + destination.port() + "\r\n");
    }

    private static String text(InetAddress address, boolean four) {
        String text = address.getHostAddress();
        if (address instanceof Inet6Address) {
            int scope = text.indexOf('%');
            return scope < 0 ? text : text.substring(0, scope);
        }
        return four ? text : "::ffff:" + text;
    }
}
