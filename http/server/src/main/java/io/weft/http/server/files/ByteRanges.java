package io.weft.http.server.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of a representation that a request asks for (RFC 9110, 14.2), in the order of the
/// request. No byte is in two of them: ranges that overlap become one.
///
/// @param parts none when the representation has no byte that was asked for
public record ByteRanges(List<ByteRange> parts) {
    /// Ranges in one request. Many small ones are an attack (RFC 9110, 17.15).
    static final int MAX_RANGES = 16;

    /// Ranges that overlap others, of one request (RFC 9110, 14.2).
    private static final int MAX_OVERLAPS = 2;

    /// The digits fit into a long.
    private static final Pattern ONE = Pattern.compile("[ \t]*(\\d{0,18})-(\\d{0,18})[ \t]*");

    private static final SecureRandom RANDOM = new SecureRandom();

    /// @return null for all of it: no range was asked for, or one that is malformed or in another
    ///     unit, or too many, or there is nothing to take a part of: clients that ask for the first
    ///     bytes of whatever there is get all of an empty file. A server may ignore ranges (14.2)
    public static @Nullable ByteRanges of(Headers headers, long size) {
        List<String> fields = headers.all(HeaderName.RANGE);
        if (size == 0
                || fields.size() != 1
                || !fields.getFirst().regionMatches(true, 0, "bytes=", 0, 6)) {
            return null;
        }
        String[] elements = fields.getFirst().substring(6).split(",", MAX_RANGES + 1);
        if (elements.length > MAX_RANGES) {
            return null;
        }
        List<ByteRange> parts = new ArrayList<>();
        int overlaps = 0;
        for (String element : elements) {
            Matcher m = ONE.matcher(element);
            if (!m.matches() || (m.group(1).isEmpty() && m.group(2).isEmpty())) {
                return null;
            }
            ByteRange range = of(m.group(1), m.group(2), size);
            if (range == null) {
                return null;
            }
            if (range.length() > 0) {
                overlaps += add(range, parts);
            }
        }
        return overlaps > MAX_OVERLAPS ? null : new ByteRanges(parts);
    }

    /// @return one without a byte if the representation has none of it; null if it is malformed
    private static @Nullable ByteRange of(String from, String to, long size) {
        if (from.isEmpty()) {
            return new ByteRange(size - Math.min(size, Long.parseLong(to)), size - 1);
        }
        long first = Long.parseLong(from);
        long last = to.isEmpty() ? Long.MAX_VALUE : Long.parseLong(to);
        if (last < first) {
            return null;
        }
        return first >= size
                ? new ByteRange(size, size - 1)
                : new ByteRange(first, Math.min(last, size - 1));
    }

    /// @return how many of `parts` it overlaps, which it takes in
    private static int add(ByteRange range, List<ByteRange> parts) {
        int overlaps = 0;
        int place = parts.size();
        ByteRange all = range;
        for (int i = parts.size() - 1; i >= 0; i--) {
            if (parts.get(i).overlaps(range)) {
                all = all.with(parts.remove(i));
                place = i;
                overlaps++;
            }
        }
        parts.add(place, all);
        return overlaps;
    }

    /// Several parts as `multipart/byteranges` (RFC 9110, 14.6).
    ///
    /// @param type of the representation
    public Multipart multipart(Path file, String type, long size) {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        String boundary = HexFormat.of().formatHex(random);
        List<Body> bodies = new ArrayList<>();
        for (ByteRange part : parts) {
            String head =
                    (bodies.isEmpty() ? "--" : "\r\n--")
                            + boundary
                            + "\r\nContent-Type: "
                            + type
                            + "\r\nContent-Range: "
                            + part.of(size)
                            + "\r\n\r\n";
            bodies.add(Body.wrap(head.getBytes(US_ASCII)));
            bodies.add(Body.of(file, part.first(), part.length()));
        }
        bodies.add(Body.of("\r\n--" + boundary + "--\r\n"));
        return new Multipart("multipart/byteranges; boundary=" + boundary, Body.concat(bodies));
    }

    public record Multipart(String contentType, Body body) {}
}
