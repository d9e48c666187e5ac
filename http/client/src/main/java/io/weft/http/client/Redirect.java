package io.weft.http.client;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request that a redirect asks for (RFC 9110, 15.4).
///
/// 303 is fetched by GET; so are 301 and 302 that answer a POST, as all clients do. 307 and 308
/// repeat the method and the body, which a stream cannot. Credentials stay with their origin.
final class Redirect {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /// Fields that are for one origin only.
    private static final List<HeaderName> CREDENTIALS =
            List.of(
                    HeaderName.AUTHORIZATION,
                    HeaderName.COOKIE,
                    HeaderName.PROXY_AUTHORIZATION,
                    HeaderName.HOST,
                    HeaderName.ORIGIN,
                    HeaderName.REFERER);

    /// Fields that are about a body.
    private static final List<HeaderName> CONTENT =
            List.of(
                    HeaderName.CONTENT_LENGTH,
                    HeaderName.CONTENT_TYPE,
                    HeaderName.CONTENT_ENCODING,
                    HeaderName.CONTENT_LANGUAGE,
                    HeaderName.CONTENT_LOCATION,
                    HeaderName.CONTENT_RANGE,
                    HeaderName.of("content-md5"),
                    HeaderName.of("content-digest"),
                    HeaderName.of("repr-digest"),
                    HeaderName.of("digest"),
                    HeaderName.LAST_MODIFIED,
                    HeaderName.EXPECT);

    private Redirect() {}

    /// Returns the next request; null when the response is no redirect that can be followed:
    /// another status, no Location, a body that is a stream, or a way from https to http.
    ///
    /// @param from the origin of the request, which its target need not name
    /// @throws IllegalArgumentException when Location leads to no http or https URL
    static @Nullable Request follow(Request request, Origin from, Status status, Headers headers) {
        String location = headers.first(HeaderName.LOCATION);
        if (location == null || headers.all(HeaderName.LOCATION).size() > 1) {
            return null;
        }
        boolean get;
        switch (status.code()) {
            case 301, 302 -> get = request.method() == Method.POST;
            case 303 -> get = request.method() != Method.HEAD && request.method() != Method.GET;
            case 307, 308 -> get = false;
            default -> {
                return null;
            }
        }
        if (!get && request.body() instanceof Body.Stream) {
            return null;
        }
        RequestTarget target = RequestTarget.of(resolve(from, request.target(), location));
        Origin to = Origin.of(target);
        if (from.secure() && !to.secure()) {
            return null;
        }
        HeadersBuilder fields = request.headers().toBuilder();
        if (!from.equals(to)) {
            CREDENTIALS.forEach(fields::remove);
        }
        if (get) {
            CONTENT.forEach(fields::remove);
        }
        return Request.of(
                get ? Method.GET : request.method(),
                target,
                request.version(),
                fields.build(),
                get ? Body.empty() : request.body());
    }

    /// The URL that a reference means (RFC 3986, 5.2), without its fragment. What no URL may have
    /// is percent-encoded, as browsers do.
    ///
    /// @param base of the request to `origin`
    static String resolve(Origin origin, RequestTarget base, String reference) {
        int fragment = reference.indexOf('#');
        String ref = encode(fragment < 0 ? reference : reference.substring(0, fragment));
        if (hasScheme(ref)) {
            return withoutDotsInPath(ref);
        }
        if (ref.startsWith("//")) {
            return withoutDotsInPath((origin.secure() ? "https:" : "http:") + ref);
        }
        int mark = ref.indexOf('?');
        String path = mark < 0 ? ref : ref.substring(0, mark);
        String query = mark < 0 ? "" : ref.substring(mark);
        if (path.isEmpty()) {
            String own = base.query();
            return origin + base.path() + (mark < 0 && own != null ? "?" + own : query);
        }
        String folder = base.path().substring(0, base.path().lastIndexOf('/') + 1);
        String merged = path;
        if (!path.startsWith("/")) {
            merged = (folder.isEmpty() ? "/" : folder) + path; // empty for `*`
        }
        return origin + withoutDots(merged) + query;
    }

    /// `scheme ":"`, in front of any other delimiter.
    private static boolean hasScheme(String ref) {
        for (int i = 0; i < ref.length(); i++) {
            char c = ref.charAt(i);
            if (c == ':') {
                return i > 0;
            }
            if ("/?".indexOf(c) >= 0) {
                return false;
            }
        }
        return false;
    }

    /// An absolute URL may have dots as well (RFC 3986, 5.2.2).
    private static String withoutDotsInPath(String url) {
        int slashes = url.indexOf(':') + 1;
        int from = url.startsWith("//", slashes) ? endOfAuthority(url, slashes + 2) : url.length();
        int mark = url.indexOf('?', from);
        int to = mark < 0 ? url.length() : mark;
        return from == to
                ? url
                : url.substring(0, from) + withoutDots(url.substring(from, to)) + url.substring(to);
    }

    /// RFC 3986, 5.2.4.
    private static String withoutDots(String path) {
        List<String> segments = new ArrayList<>();
        String[] parts = path.split("/", -1);
        for (int i = 1; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            String part = parts[i];
            if (part.equals(".") || part.equals("..")) {
                if (part.length() == 2 && !segments.isEmpty()) {
                    segments.removeLast();
                }
                if (last) {
                    segments.add("");
                }
            } else {
                segments.add(part);
            }
        }
        return "/" + String.join("/", segments);
    }

    private static String encode(String text) {
        int from = hasScheme(text) ? text.indexOf(':') + 1 : 0;
        int authorityEnd = text.startsWith("//", from) ? endOfAuthority(text, from + 2) : 0;
        StringBuilder encoded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (i == authorityEnd - 1 && c == ':') {
                continue; // an empty port is the scheme's (RFC 3986, 3.2.3)
            }
            if (c <= 0x20
                    || c > 0x7E
                    || "\"<>\\^`{|}".indexOf(c) >= 0
                    || (i >= authorityEnd && isStray(text, i))) {
                // A header's text is one byte a character.
                encoded.append('%').append(HEX.toHexDigits((byte) c));
            } else {
                encoded.append(c);
            }
        }
        return encoded.toString();
    }

    private static int endOfAuthority(String text, int from) {
        int i = from;
        while (i < text.length() && "/?".indexOf(text.charAt(i)) < 0) {
            i++;
        }
        return i;
    }

    /// Tells if a path or query has a character that belongs elsewhere: a bracket, which is of
    /// addresses, or a percent sign that encodes nothing.
    private static boolean isStray(String text, int at) {
        return switch (text.charAt(at)) {
            case '[', ']' -> true;
            case '%' ->
                    at + 2 >= text.length()
                            || !HexFormat.isHexDigit(text.charAt(at + 1))
                            || !HexFormat.isHexDigit(text.charAt(at + 2));
            default -> false;
        };
    }
}
