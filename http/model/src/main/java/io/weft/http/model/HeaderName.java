package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The name of a header field: a token, in lower case whatever case it came in. Immutable. Two
/// names are equal when they differ in case only; the names listed here are one object each.
public final class HeaderName {
    /// Ids fit into the 8 bits that [Headers] keeps them in; 0 is a name that is not listed.
    private static int lastId;

    private static final HeaderName[] BY_ID = new HeaderName[128];

    // These matter to the wires; their ids are below 63, so that Headers knows at once which of
    // them it has.
    public static final HeaderName HOST = known("host");
    public static final HeaderName CONNECTION = known("connection");
    public static final HeaderName CONTENT_LENGTH = known("content-length");
    public static final HeaderName TRANSFER_ENCODING = known("transfer-encoding");
    public static final HeaderName EXPECT = known("expect");
    public static final HeaderName UPGRADE = known("upgrade");
    public static final HeaderName TE = known("te");
    public static final HeaderName TRAILER = known("trailer");
    public static final HeaderName KEEP_ALIVE = known("keep-alive");
    public static final HeaderName PROXY_CONNECTION = known("proxy-connection");
    public static final HeaderName DATE = known("date");
    public static final HeaderName SERVER = known("server");
    public static final HeaderName CONTENT_TYPE = known("content-type");
    public static final HeaderName CONTENT_ENCODING = known("content-encoding");
    public static final HeaderName CONTENT_RANGE = known("content-range");
    public static final HeaderName COOKIE = known("cookie");
    public static final HeaderName SET_COOKIE = known("set-cookie");
    public static final HeaderName AUTHORIZATION = known("authorization");
    public static final HeaderName ACCEPT = known("accept");
    public static final HeaderName ACCEPT_ENCODING = known("accept-encoding");
    public static final HeaderName ACCEPT_LANGUAGE = known("accept-language");
    public static final HeaderName USER_AGENT = known("user-agent");
    public static final HeaderName REFERER = known("referer");
    public static final HeaderName ORIGIN = known("origin");
    public static final HeaderName CACHE_CONTROL = known("cache-control");
    public static final HeaderName ETAG = known("etag");
    public static final HeaderName IF_MATCH = known("if-match");
    public static final HeaderName IF_NONE_MATCH = known("if-none-match");
    public static final HeaderName IF_MODIFIED_SINCE = known("if-modified-since");
    public static final HeaderName IF_UNMODIFIED_SINCE = known("if-unmodified-since");
    public static final HeaderName IF_RANGE = known("if-range");
    public static final HeaderName LAST_MODIFIED = known("last-modified");
    public static final HeaderName LOCATION = known("location");
    public static final HeaderName RANGE = known("range");
    public static final HeaderName MAX_FORWARDS = known("max-forwards");
    public static final HeaderName VARY = known("vary");
    public static final HeaderName ALLOW = known("allow");
    public static final HeaderName REFRESH = known("refresh");
    public static final HeaderName RETRY_AFTER = known("retry-after");
    public static final HeaderName WWW_AUTHENTICATE = known("www-authenticate");
    public static final HeaderName PROXY_AUTHENTICATE = known("proxy-authenticate");
    public static final HeaderName PROXY_AUTHORIZATION = known("proxy-authorization");
    public static final HeaderName ACCEPT_CHARSET = known("accept-charset");
    public static final HeaderName ACCEPT_RANGES = known("accept-ranges");
    public static final HeaderName ACCESS_CONTROL_ALLOW_CREDENTIALS =
            known("access-control-allow-credentials");
    public static final HeaderName ACCESS_CONTROL_ALLOW_HEADERS =
            known("access-control-allow-headers");
    public static final HeaderName ACCESS_CONTROL_ALLOW_METHODS =
            known("access-control-allow-methods");
    public static final HeaderName ACCESS_CONTROL_ALLOW_ORIGIN =
            known("access-control-allow-origin");
    public static final HeaderName ACCESS_CONTROL_EXPOSE_HEADERS =
            known("access-control-expose-headers");
    public static final HeaderName ACCESS_CONTROL_MAX_AGE = known("access-control-max-age");
    public static final HeaderName ACCESS_CONTROL_REQUEST_HEADERS =
            known("access-control-request-headers");
    public static final HeaderName ACCESS_CONTROL_REQUEST_METHOD =
            known("access-control-request-method");
    public static final HeaderName AGE = known("age");
    public static final HeaderName ALT_SVC = known("alt-svc");
    public static final HeaderName CONTENT_DISPOSITION = known("content-disposition");
    public static final HeaderName CONTENT_LANGUAGE = known("content-language");
    public static final HeaderName CONTENT_LOCATION = known("content-location");
    public static final HeaderName CONTENT_SECURITY_POLICY = known("content-security-policy");
    public static final HeaderName CROSS_ORIGIN_EMBEDDER_POLICY =
            known("cross-origin-embedder-policy");
    public static final HeaderName CROSS_ORIGIN_OPENER_POLICY = known("cross-origin-opener-policy");
    public static final HeaderName CROSS_ORIGIN_RESOURCE_POLICY =
            known("cross-origin-resource-policy");
    public static final HeaderName DNT = known("dnt");
    public static final HeaderName EARLY_DATA = known("early-data");
    public static final HeaderName EXPIRES = known("expires");
    public static final HeaderName FORWARDED = known("forwarded");
    public static final HeaderName FROM = known("from");
    public static final HeaderName LINK = known("link");
    public static final HeaderName PERMISSIONS_POLICY = known("permissions-policy");
    public static final HeaderName PRAGMA = known("pragma");
    public static final HeaderName PRIORITY = known("priority");
    public static final HeaderName REFERRER_POLICY = known("referrer-policy");
    public static final HeaderName SEC_CH_UA = known("sec-ch-ua");
    public static final HeaderName SEC_CH_UA_MOBILE = known("sec-ch-ua-mobile");
    public static final HeaderName SEC_CH_UA_PLATFORM = known("sec-ch-ua-platform");
    public static final HeaderName SEC_FETCH_DEST = known("sec-fetch-dest");
    public static final HeaderName SEC_FETCH_MODE = known("sec-fetch-mode");
    public static final HeaderName SEC_FETCH_SITE = known("sec-fetch-site");
    public static final HeaderName SEC_FETCH_USER = known("sec-fetch-user");
    public static final HeaderName SEC_WEBSOCKET_ACCEPT = known("sec-websocket-accept");
    public static final HeaderName SEC_WEBSOCKET_EXTENSIONS = known("sec-websocket-extensions");
    public static final HeaderName SEC_WEBSOCKET_KEY = known("sec-websocket-key");
    public static final HeaderName SEC_WEBSOCKET_PROTOCOL = known("sec-websocket-protocol");
    public static final HeaderName SEC_WEBSOCKET_VERSION = known("sec-websocket-version");
    public static final HeaderName SERVER_TIMING = known("server-timing");
    public static final HeaderName STRICT_TRANSPORT_SECURITY = known("strict-transport-security");
    public static final HeaderName TIMING_ALLOW_ORIGIN = known("timing-allow-origin");
    public static final HeaderName TRACEPARENT = known("traceparent");
    public static final HeaderName TRACESTATE = known("tracestate");
    public static final HeaderName UPGRADE_INSECURE_REQUESTS = known("upgrade-insecure-requests");
    public static final HeaderName VIA = known("via");
    public static final HeaderName X_CONTENT_TYPE_OPTIONS = known("x-content-type-options");
    public static final HeaderName X_FORWARDED_FOR = known("x-forwarded-for");
    public static final HeaderName X_FORWARDED_HOST = known("x-forwarded-host");
    public static final HeaderName X_FORWARDED_PROTO = known("x-forwarded-proto");
    public static final HeaderName X_FRAME_OPTIONS = known("x-frame-options");
    public static final HeaderName X_POWERED_BY = known("x-powered-by");
    public static final HeaderName X_REAL_IP = known("x-real-ip");
    public static final HeaderName X_REQUESTED_WITH = known("x-requested-with");
    public static final HeaderName X_REQUEST_ID = known("x-request-id");
    public static final HeaderName X_XSS_PROTECTION = known("x-xss-protection");

    private static final NameTable TABLE = new NameTable(BY_ID, lastId);

    final int id;
    final byte[] lower;
    final int hash;
    private final String name;

    private HeaderName(int id, String lower) {
        this.id = id;
        this.name = lower;
        this.lower = lower.getBytes(ISO_8859_1);
        this.hash = fold(lower);
    }

    private static HeaderName known(String lower) {
        HeaderName name = new HeaderName(++lastId, lower);
        BY_ID[lastId] = name;
        return name;
    }

    /// @throws IllegalArgumentException unless `name` is a token (RFC 9110, 5.6.2)
    public static HeaderName of(String name) {
        if (!Chars.isToken(name)) {
            throw new IllegalArgumentException(
                    "header name: " + Chars.quote(name) + " (expected: a token)");
        }
        byte[] bytes = name.getBytes(ISO_8859_1);
        int id = idOf(bytes, 0, bytes.length);
        return id != 0 ? BY_ID[id] : new HeaderName(0, name.toLowerCase(Locale.ROOT));
    }

    /// The name that [from, to) spells in lower case; null unless it is a token in lower case. For
    /// wires whose names are (RFC 9113, 8.2): a listed name is found without allocation.
    public static @Nullable HeaderName ofLower(byte[] bytes, int from, int to) {
        int id = idOf(bytes, from, to);
        return id != 0 ? listed(id, bytes, from, to) : unlisted(bytes, from, to);
    }

    private static @Nullable HeaderName listed(int id, byte[] bytes, int from, int to) {
        HeaderName name = BY_ID[id];
        return name.isSpelt(bytes, from, to) ? name : null;
    }

    private static @Nullable HeaderName unlisted(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (!Chars.is(Chars.TOKEN, b) || (b >= 'A' && b <= 'Z')) {
                return null;
            }
        }
        return from == to
                ? null
                : new HeaderName(0, new String(bytes, from, to - from, ISO_8859_1));
    }

    private boolean isSpelt(byte[] bytes, int from, int to) {
        return Arrays.equals(bytes, from, to, lower, 0, lower.length);
    }

    /// Tells if `c`, a byte or a character, may be part of a token.
    public static boolean isTokenChar(int c) {
        return c >= 0 && c < 128 && Chars.is(Chars.TOKEN, (byte) c);
    }

    /// The id of the listed name that [from, to) spells in any case, or 0. Bytes that spell one are
    /// a token.
    static int idOf(byte[] bytes, int from, int to) {
        return TABLE.idOf(bytes, from, to);
    }

    static HeaderName byId(int id) {
        return BY_ID[id];
    }

    /// A number of this name, from 1 to 127, if it is a listed one; else 0. For tables of wires: it
    /// may differ from one version of this module to the next.
    public int number() {
        return id;
    }

    /// Returns the length of the name.
    public int length() {
        return lower.length;
    }

    /// Copies the name, in lower case, to `to` from `offset` on.
    ///
    /// @throws IndexOutOfBoundsException when there is no room for [#length]
    public void copyTo(byte[] to, int offset) {
        System.arraycopy(lower, 0, to, offset, lower.length);
    }

    /// Returns the bit of this name in a set of names; names beyond the 62nd share the last bit.
    long bit() {
        return bit(id);
    }

    static long bit(int id) {
        return 1L << (id == 0 || id > 63 ? 63 : id);
    }

    /// A hash of the length and three characters, equal for all cases of a name. Good enough for
    /// names, of which few differ in nothing else, and quick for text that is looked up once.
    static int fold(String name) {
        int length = name.length();
        if (length == 0) {
            return 0;
        }
        int hash = length * 31 + (name.charAt(0) | 0x20);
        hash = hash * 31 + (name.charAt(length >> 1) | 0x20);
        hash = hash * 31 + (name.charAt(length - 1) | 0x20);
        return hash ^ hash >>> 7;
    }

    /// Tells if `text` is this name, in any case.
    boolean isSpelled(String text) {
        byte[] own = lower;
        if (own.length != text.length()) {
            return false;
        }
        for (int i = 0; i < own.length; i++) {
            int c = text.charAt(i);
            if (c != own[i] && Chars.lower(c) != own[i]) {
                return false;
            }
        }
        return true;
    }

    /// Tells if `other` is the same name: listed ones are one object each.
    boolean is(HeaderName other) {
        return this == other
                || (id == 0 && hash == other.hash && other.id == 0 && name.equals(other.name));
    }

    /// In lower case.
    @Override
    public String toString() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HeaderName that && is(that);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
