package io.weft.http.client;

import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.cookies.StoredCookie;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The parts of a client that its calls share. Immutable but for the pool.
///
/// @param proxies the proxy for an origin, or null
/// @param codings content codings that are undone, with the makers of their decompressors
/// @param namesItself whether User-Agent is added to requests without one
/// @param cookies null for a client that keeps none
/// @param bindings null for a client that does not look at records of type HTTPS
record ClientSetup(
        EventLoopGroup group,
        ConnectionPool pool,
        HttpClientLimits limits,
        ProxyChoice proxies,
        Map<String, Function<DecompressionLimits, Decompressor>> codings,
        boolean namesItself,
        @Nullable CookieJar cookies,
        @Nullable Bindings bindings) {
    private static final String USER_AGENT = "weft";

    Route route(Origin origin) {
        return new Route(origin, proxies.proxy(origin));
    }

    /// The way of a request that asks for another protocol: HTTP/1.1, unless the application
    /// insists on HTTP/2.
    Route upgradeRoute(Origin origin) {
        Route http1 = new Route(origin, proxies.proxy(origin), true);
        return pool.mayMultiplex(http1) ? new Route(origin, http1.proxy()) : http1;
    }

    /// CONNECT as a wire is given it: its target is its Host, too (RFC 9112, 3.2.3).
    Request prepareConnect(Request request) {
        Headers own = request.headers();
        if (own.contains(HeaderName.HOST)) {
            return request;
        }
        HeadersBuilder fields = Headers.builder().add(HeaderName.HOST, request.target().toString());
        own.forEach(fields::add);
        if (namesItself && !own.contains(HeaderName.USER_AGENT)) {
            fields.add(HeaderName.USER_AGENT, USER_AGENT);
        }
        return request.withHeaders(fields.build());
    }

    /// The request as a wire is given it: a target in origin form, and the fields that a client
    /// adds by itself. Host comes first (RFC 9110, 7.2).
    Request prepare(Request request, Origin origin, Route route) {
        Headers own = request.headers();
        HeadersBuilder fields;
        if (own.contains(HeaderName.HOST)) {
            fields = own.toBuilder();
        } else {
            fields = Headers.builder().add(HeaderName.HOST, origin.authority());
            own.forEach(fields::add);
        }
        if (namesItself && !own.contains(HeaderName.USER_AGENT)) {
            fields.add(HeaderName.USER_AGENT, USER_AGENT);
        }
        if (asksForCodings(request) && !codings.isEmpty()) {
            fields.add(HeaderName.ACCEPT_ENCODING, String.join(", ", codings.keySet()));
        }
        HttpProxy proxy = route.proxy();
        RequestTarget target = request.target();
        if (cookies != null && !own.contains(HeaderName.COOKIE)) {
            String cookie = cookies.field(origin, StoredCookie.path(target));
            if (cookie != null) {
                fields.add(HeaderName.COOKIE, cookie);
            }
        }
        boolean absolute = proxy != null && route.isAbsolute();
        if (absolute && proxy != null) {
            proxy.headers().forEach(field -> fields.set(field.name(), field.value()));
            fields.set(HeaderName.HOST, origin.authority());
        }
        return Request.of(
                request.method(),
                target(request, origin, absolute),
                request.version(),
                fields.build(),
                request.body());
    }

    /// Returns a request whose target names no origin.
    ///
    /// @throws IllegalArgumentException for another one, or CONNECT
    static Request nameless(Request request) {
        checkMethod(request);
        RequestTarget target = request.target();
        boolean ofAll =
                target.form() == RequestTarget.Form.ASTERISK && request.method() == Method.OPTIONS;
        if (target.form() != RequestTarget.Form.ORIGIN && !ofAll) {
            throw new IllegalArgumentException(
                    "target: " + target + " (expected: /path, or * of OPTIONS)");
        }
        return request;
    }

    /// @throws IllegalArgumentException for CONNECT
    static void checkMethod(Request request) {
        if (request.method() == Method.CONNECT) {
            throw new IllegalArgumentException("method: CONNECT (expected: one with a response)");
        }
    }

    /// @param absolute whether a proxy reads it
    private static RequestTarget target(Request request, Origin origin, boolean absolute) {
        RequestTarget target = request.target();
        if (!absolute && target.form() == RequestTarget.Form.ORIGIN) {
            return target;
        }
        // A proxy is told of the URL without a path, and the last one asks for `*`.
        String path =
                target.isOfServer(request.method()) ? (absolute ? "" : "*") : target.pathAndQuery();
        return RequestTarget.of(absolute ? origin + path : path);
    }

    /// Keeps the cookies of a response, also of one that redirects.
    void keepCookies(Request request, Origin origin, Headers response) {
        if (cookies == null) {
            return;
        }
        try {
            cookies.store(origin, request.target(), response);
        } catch (RuntimeException | Error e) { // of the application's rule for suffixes
            System.getLogger("io.weft.http.client")
                    .log(System.Logger.Level.WARNING, "cookies of " + origin + " are lost", e);
        }
    }

    /// Makes a decompressor, if the client asked for the coding by itself and knows it.
    @Nullable Decompressor decompressor(Request request, Headers response) {
        String coding = response.first(HeaderName.CONTENT_ENCODING);
        if (coding == null
                || !asksForCodings(request)
                || response.all(HeaderName.CONTENT_ENCODING).size() > 1) {
            return null;
        }
        String name = coding.toLowerCase(Locale.ROOT);
        // RFC 9110, 8.4.1.3: a recipient takes x-gzip for gzip.
        var maker = codings.get(name.equals("x-gzip") ? "gzip" : name);
        return maker == null ? null : maker.apply(limits.decompression());
    }

    /// A request that names codings itself gets what it asked for, and a part of a compressed body
    /// cannot be expanded.
    private static boolean asksForCodings(Request request) {
        return request.method() != Method.CONNECT
                && !request.headers().contains(HeaderName.ACCEPT_ENCODING)
                && !request.headers().contains(HeaderName.RANGE);
    }

    /// Tells if a request does no harm twice (RFC 9110, 9.2.2).
    static boolean isIdempotent(Method method) {
        return method == Method.GET
                || method == Method.HEAD
                || method == Method.PUT
                || method == Method.DELETE
                || method == Method.OPTIONS
                || method == Method.TRACE
                || method == Method.QUERY;
    }
}
