package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The line of version 1: `PROXY TCP4 192.0.2.1 198.51.100.2 56324 443` and CRLF.
final class TextHeader {
    /// The longest line: UNKNOWN with two addresses of IPv6 and two ports.
    static final int MAX_LENGTH = 107;

    private static final int PREFIX = "PROXY ".length();

    private static final String KINDS = "no line of TCP4, TCP6 or UNKNOWN";

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
        int at = in.readOffset() + PREFIX;
        int end = in.readOffset() + length - 2;
        // Whatever stands behind UNKNOWN is to be ignored.
        if (begins("UNKNOWN", in, at, end) && (at + 7 == end || in.getByte(at + 7) == ' ')) {
            return ProxyHeader.unknown();
        }
        boolean four = begins("TCP4 ", in, at, end);
        if (!four && !begins("TCP6 ", in, at, end)) {
            throw malformed(in, length, KINDS);
        }
        int source = at + 5;
        int destination = word(in, length, source, end);
        int sourcePort = word(in, length, destination, end);
        int destinationPort = word(in, length, sourcePort, end);
        return new ProxyHeader(
                ProxyVersion.V1,
                false,
                four ? Transport.TCP4 : Transport.TCP6,
                new ProxyAddress.Inet(
                        address(in, length, source, destination - 1, four),
                        port(in, length, sourcePort, destinationPort - 1)),
                new ProxyAddress.Inet(
                        address(in, length, destination, sourcePort - 1, four),
                        port(in, length, destinationPort, end)),
                List.of());
    }

    private static boolean begins(String text, Buffer in, int at, int end) {
        if (end - at < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (in.getByte(at + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Returns where the word behind the one at `at` begins.
    private static int word(Buffer in, int length, int at, int end) {
        for (int i = at; i < end; i++) {
            if (in.getByte(i) == ' ') {
                return i + 1;
            }
        }
        throw malformed(in, length, KINDS);
    }

    private static InetAddress address(Buffer in, int length, int at, int end, boolean four) {
        InetAddress address = four ? ipv4(in, at, end) : ipv6(in, at, end);
        if (address == null) {
            throw malformed(in, length, "no address of " + (four ? "IPv4" : "IPv6"));
        }
        return address;
    }

    private static @Nullable InetAddress ipv4(Buffer in, int at, int end) {
        byte[] bytes = new byte[4];
        int from = at;
        for (int i = 0; i < 4; i++) {
            int to = from;
            while (to < end && in.getByte(to) != '.') {
                to++;
            }
            int number = number(in, from, to, 255);
            // A dot stands behind each number but the last.
            if (number < 0 || (to == end) != (i == 3)) {
                return null;
            }
            bytes[i] = (byte) number;
            from = to + 1;
        }
        return ip(bytes);
    }

    private static @Nullable InetAddress ipv6(Buffer in, int at, int end) {
        boolean colon = false;
        for (int i = at; i < end; i++) {
            int b = in.getByte(i);
            colon |= b == ':';
            if (Character.digit(b, 16) < 0 && b != ':' && b != '.') {
                return null;
            }
        }
        if (!colon) {
            return null;
        }
        byte[] text = new byte[end - at];
        in.getBytes(at, text, 0, text.length);
        try {
            return InetAddress.ofLiteral(new String(text, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static InetAddress ip(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static int port(Buffer in, int length, int at, int end) {
        int port = number(in, at, end, 65_535);
        if (port < 0) {
            throw malformed(in, length, "no port");
        }
        return port;
    }

    /// A decimal number without zeros before it; -1 if that is none, or it is above `most`.
    private static int number(Buffer in, int at, int end, int most) {
        if (at == end || end - at > 5 || (in.getByte(at) == '0' && end - at > 1)) {
            return -1;
        }
        int number = 0;
        for (int i = at; i < end; i++) {
            int digit = in.getByte(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number <= most ? number : -1;
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
        out.writeAscii(four ? "PROXY TCP4 " : "PROXY TCP6 ");
        write(source.address(), four, out);
        write(destination.address(), four, out);
        write(source.port(), out);
        write(destination.port(), out.writeByte(' '));
        out.writeAscii("\r\n");
    }

    /// An address and a space.
    private static void write(InetAddress address, boolean four, Buffer out) {
        byte[] ip = address.getAddress();
        if (ip.length == 16) {
            out.writeAscii(canonical(ip)).writeByte(' ');
            return;
        }
        out.writeAscii(four ? "" : "::ffff:");
        for (int i = 0; i < 4; i++) {
            write(ip[i] & 0xFF, out);
            out.writeByte(i < 3 ? '.' : ' ');
        }
    }

    /// The form of RFC 5952, 4: the longest run of zeros, the first of equals, is `::`.
    private static String canonical(byte[] ip) {
        int gap = -1;
        int longest = 1; // a single group stays
        for (int group = 0, zeros = 0; group < 8; group++) {
            zeros = group(ip, group) == 0 ? zeros + 1 : 0;
            if (zeros > longest) {
                longest = zeros;
                gap = group - zeros + 1;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int group = 0; group < 8; group++) {
            if (group == gap) {
                text.append("::");
                group += longest - 1;
                continue;
            }
            boolean first = group == 0 || (gap >= 0 && group == gap + longest);
            text.append(first ? "" : ":").append(Integer.toHexString(group(ip, group)));
        }
        return text.toString();
    }

    private static int group(byte[] ip, int group) {
        return (ip[2 * group] & 0xFF) << 8 | (ip[2 * group + 1] & 0xFF);
    }

    private static void write(int number, Buffer out) {
        if (number > 9) {
            write(number / 10, out);
        }
        out.writeByte('0' + number % 10);
    }
}
