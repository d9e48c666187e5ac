package io.weft.http.rtsp;

import static io.weft.codec.DecoderException.quote;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// The first line of a message: `method SP uri SP version`, or `version SP code SP reason` (RFC
/// 2326, 6.1 and 7.1).
///
/// @param method null in a response
/// @param uri empty in a response
/// @param status null in a request
record StartLine(
        @Nullable Method method, String uri, RtspVersion version, @Nullable Status status) {
    /// Length of `RTSP/1.0`.
    private static final int VERSION = 8;

    /// Parses [from, to), a line without controls.
    static StartLine parse(Buffer in, int from, int to) {
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        String line = new String(bytes, ISO_8859_1);
        return line.startsWith("RTSP/") ? status(in, from, to, line) : request(in, from, to, line);
    }

    private static StartLine status(Buffer in, int from, int to, String line) {
        // The blank behind the code may be missing where there is no reason.
        boolean form =
                line.length() >= VERSION + 4
                        && line.charAt(VERSION) == ' '
                        && (line.length() == VERSION + 4 || line.charAt(VERSION + 4) == ' ');
        int code = form ? code(line) : -1;
        if (code < 100 || code > 599) {
            throw RtspException.bad(
                    "status line: " + quote(in, from, to) + " (expected: version, 100 to 599)");
        }
        return new StartLine(null, "", version(line.substring(0, VERSION)), Status.of(code));
    }

    private static int code(String line) {
        int code = 0;
        for (int i = VERSION + 1; i < VERSION + 4; i++) {
            int digit = line.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            code = code * 10 + digit;
        }
        return code;
    }

    private static StartLine request(Buffer in, int from, int to, String line) {
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        String uri = first < last ? line.substring(first + 1, last) : "";
        if (uri.isEmpty() || !uri.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw RtspException.bad(
                    "request line: " + quote(in, from, to) + " (expected: method, URI, version)");
        }
        RtspVersion version = version(line.substring(last + 1));
        try {
            return new StartLine(Method.of(line.substring(0, first)), uri, version, null);
        } catch (IllegalArgumentException e) {
            throw RtspException.bad(String.valueOf(e.getMessage()));
        }
    }

    private static RtspVersion version(String text) {
        return switch (text) {
            case "RTSP/1.0" -> RtspVersion.RTSP_1_0;
            case "RTSP/2.0" -> RtspVersion.RTSP_2_0;
            default -> {
                String what = "version: other than RTSP/1.0 and RTSP/2.0 (expected: one of them)";
                boolean other = text.matches("RTSP/[0-9]+\\.[0-9]+");
                throw new RtspException(
                        other ? RtspStatus.VERSION_NOT_SUPPORTED : Status.BAD_REQUEST, what);
            }
        };
    }
}
