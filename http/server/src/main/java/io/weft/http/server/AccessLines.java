package io.weft.http.server;

import io.weft.http.model.Peer;
import io.weft.http.server.AccessLog.Entry;
import io.weft.loop.IpAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The formats of an access log.
final class AccessLines {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private AccessLines() {}

    static String combined(Entry entry) {
        StringBuilder line = new StringBuilder(256);
        // A blank would end the field.
        escape(text(entry.address()).replace(' ', '_'), "\\x", line);
        line.append(" - - [").append(DATE.format(entry.end())).append("] \"");
        line.append(entry.method()).append(' ');
        escape(entry.target(), "\\x", line);
        line.append(' ').append(entry.version()).append("\" ");
        line.append(entry.status() == 0 ? "-" : "" + entry.status()).append(' ');
        line.append(entry.bytes() == 0 ? "-" : "" + entry.bytes()).append(" \"");
        escape(entry.referer() == null ? "-" : entry.referer(), "\\x", line);
        line.append("\" \"");
        escape(entry.userAgent() == null ? "-" : entry.userAgent(), "\\x", line);
        return line.append('"').toString();
    }

    static String json(Entry entry) {
        StringBuilder line = new StringBuilder(384).append("{\"time\":\"").append(entry.end());
        line.append('"');
        member("peer", text(entry.address()), line);
        member("method", entry.method(), line);
        member("target", entry.target(), line);
        member("version", entry.version(), line);
        line.append(",\"status\":").append(entry.status() == 0 ? "null" : "" + entry.status());
        line.append(",\"bytes\":").append(entry.bytes());
        line.append(",\"micros\":").append(entry.micros());
        line.append(",\"whole\":").append(entry.whole());
        member("referer", entry.referer(), line);
        member("userAgent", entry.userAgent(), line);
        Peer.Tls tls = entry.peer() == null ? null : entry.peer().tls();
        member("tls", tls == null ? null : tls.protocol(), line);
        member("cipher", tls == null ? null : tls.cipherSuite(), line);
        member("subject", tls == null ? null : subject(tls), line);
        return line.append('}').toString();
    }

    private static @Nullable String subject(Peer.Tls tls) {
        return tls.certificates().isEmpty()
                ? null
                : tls.certificates().getFirst().getSubjectX500Principal().getName();
    }

    private static void member(String name, @Nullable String value, StringBuilder line) {
        line.append(",\"").append(name).append("\":");
        if (value == null) {
            line.append("null");
        } else {
            line.append('"');
            escape(value, "\\u00", line);
            line.append('"');
        }
    }

    private static String text(@Nullable SocketAddress address) {
        return switch (address) {
            case null -> "-";
            case InetSocketAddress inet when inet.getAddress() != null -> text(inet.getAddress());
            default -> address.toString();
        };
    }

    /// In the canonical form (RFC 5952), as other programs log it; the zone, which tells where the
    /// peer is, behind it.
    private static String text(InetAddress address) {
        StringBuilder text = new StringBuilder(48);
        IpAddresses.append(text, address.getAddress());
        String withZone = address.getHostAddress();
        int zone = withZone.indexOf('%');
        return zone < 0
                ? text.toString()
                : text.append(withZone, zone, withZone.length()).toString();
    }

    /// All but printable ASCII, quotes and backslashes as two hexadecimal digits behind `escape`.
    private static void escape(String text, String escape, StringBuilder line) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
                line.append(c);
            } else if (c < 0x100) {
                line.append(escape).append(HEX[c >> 4]).append(HEX[c & 15]);
            } else {
                line.append("\\u").append(String.format("%04x", (int) c));
            }
        }
    }
}
