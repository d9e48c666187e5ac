package io.weft.http.server;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.coding.Vary;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Lets pages of other origins read answers (Fetch standard, "CORS protocol"), and answers their
/// preflight requests.
///
/// ```java
/// builder.filter(Cors.of("https://example.org").withMethods(Method.GET, Method.PUT))
/// ```
///
/// It does not keep other clients away: whoever is no browser need not ask.
///
/// @param origins that may read, such as `https://example.org`; `*` for all
/// @param methods that a preflight allows beyond GET, HEAD and POST
/// @param headers that a preflight allows beyond those that need none
/// @param exposed fields of answers that pages may read
/// @param credentials whether cookies may come along; not for `*`
/// @param maxAge how long a browser may keep the answer to a preflight
/// @param privateNetwork whether pages of the public network may ask a server of a private one
public record Cors(
        Set<String> origins,
        Set<Method> methods,
        Set<HeaderName> headers,
        Set<HeaderName> exposed,
        boolean credentials,
        Duration maxAge,
        boolean privateNetwork)
        implements HttpFilter {
    private static final String REQUEST_PRIVATE = "access-control-request-private-network";
    private static final String ALLOW_PRIVATE = "access-control-allow-private-network";

    /// An origin as browsers send it (RFC 6454, 6.2): with a path it would match none.
    private static final Pattern ORIGIN =
            Pattern.compile("\\*|null|[a-z][a-z0-9+.-]*://[^/?#@\\s,A-Z]+");

    /// @throws IllegalArgumentException when all origins are to send credentials, `maxAge` is
    ///     negative, or one of `origins` is none, such as `https://example.org/`
    public Cors {
        origins = Set.copyOf(origins);
        methods = Set.copyOf(methods);
        headers = Set.copyOf(headers);
        exposed = Set.copyOf(exposed);
        if (credentials && (origins.contains("*") || origins.contains("null"))) {
            throw new IllegalArgumentException(
                    "origins: " + origins + " with credentials (expected: names of origins)");
        }
        for (String origin : origins) {
            if (!ORIGIN.matcher(origin).matches()) {
                throw new IllegalArgumentException(
                        "origin: " + origin + " (expected: as https://example.org, or *, or null)");
            }
        }
        if (maxAge.isNegative()) {
            throw new IllegalArgumentException("maxAge: " + maxAge + " (expected: >= 0)");
        }
    }

    /// Lets these origins read, without credentials; `*` for all.
    public static Cors of(String... origins) {
        return new Cors(
                Set.of(origins),
                Set.of(),
                Set.of(),
                Set.of(),
                false,
                Duration.ofMinutes(10),
                false);
    }

    public Cors withMethods(Method... allowed) {
        return new Cors(
                origins, Set.of(allowed), headers, exposed, credentials, maxAge, privateNetwork);
    }

    public Cors withHeaders(HeaderName... allowed) {
        return new Cors(
                origins, methods, Set.of(allowed), exposed, credentials, maxAge, privateNetwork);
    }

    public Cors withExposed(HeaderName... fields) {
        return new Cors(
                origins, methods, headers, Set.of(fields), credentials, maxAge, privateNetwork);
    }

    public Cors withCredentials() {
        return new Cors(origins, methods, headers, exposed, true, maxAge, privateNetwork);
    }

    public Cors withMaxAge(Duration age) {
        return new Cors(origins, methods, headers, exposed, credentials, age, privateNetwork);
    }

    public Cors withPrivateNetwork() {
        return new Cors(origins, methods, headers, exposed, credentials, maxAge, true);
    }

    /// Answers preflight requests.
    @Override
    public @Nullable Response before(Request request) {
        Headers asked = request.headers();
        if (request.method() != Method.OPTIONS
                || !asked.contains(HeaderName.ORIGIN)
                || !asked.contains(HeaderName.ACCESS_CONTROL_REQUEST_METHOD)) {
            return null;
        }
        HeadersBuilder answer = Headers.builder();
        if (allows(asked)) {
            answer.set(
                            HeaderName.ACCESS_CONTROL_ALLOW_METHODS,
                            join(methods, "GET", "HEAD", "POST"))
                    .set(HeaderName.ACCESS_CONTROL_MAX_AGE, "" + maxAge.toSeconds());
            if (!headers.isEmpty()) {
                answer.set(HeaderName.ACCESS_CONTROL_ALLOW_HEADERS, join(headers));
            }
            if (privateNetwork && asked.contains(REQUEST_PRIVATE)) {
                answer.set(ALLOW_PRIVATE, "true");
            }
        }
        Headers varied = Vary.with(answer.build(), "access-control-request-method");
        varied = Vary.with(varied, "access-control-request-headers");
        return Response.of(Status.NO_CONTENT).withHeaders(varied);
    }

    /// Says who may read the answer.
    @Override
    public Response after(Request request, Response response) {
        boolean all = origins.contains("*");
        Headers fields = all ? response.headers() : Vary.with(response.headers(), "origin");
        // An answer to all says so to any request: a cache has it for the next one, of a page.
        if (!all && !allows(request.headers())) {
            return response.withHeaders(fields);
        }
        String origin = String.valueOf(request.headers().first(HeaderName.ORIGIN));
        HeadersBuilder answer =
                fields.toBuilder().set(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN, all ? "*" : origin);
        if (credentials) {
            answer.set(HeaderName.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        if (!exposed.isEmpty()) {
            answer.set(HeaderName.ACCESS_CONTROL_EXPOSE_HEADERS, join(exposed));
        }
        return response.withHeaders(answer.build());
    }

    private boolean allows(Headers asked) {
        String origin = asked.first(HeaderName.ORIGIN);
        return origin != null && (origins.contains("*") || origins.contains(origin));
    }

    private static String join(Set<?> names, String... more) {
        Set<String> all = new TreeSet<>(Set.of(more));
        names.forEach(name -> all.add(name.toString()));
        return String.join(", ", all);
    }
}
