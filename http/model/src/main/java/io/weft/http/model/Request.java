package io.weft.http.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request. Immutable; its body may be a stream, which is read once.
///
/// Framing is the wire's business, which adds and removes Content-Length and
/// Transfer-Encoding.
public final class Request {
    private final Method method;
    private final RequestTarget target;
    private final Version version;
    private final Headers headers;
    private final Body body;
    private final Headers trailers;

    /// Of the path, by the route.
    private final Map<String, String> parameters;

    private final @Nullable Peer peer;

    private Request(
            Method method,
            RequestTarget target,
            Version version,
            Headers headers,
            Body body,
            Headers trailers,
            Map<String, String> parameters,
            @Nullable Peer peer) {
        this.method = method;
        this.target = target;
        this.version = version;
        this.headers = headers;
        this.body = body;
        this.trailers = trailers;
        this.parameters = parameters;
        this.peer = peer;
    }

    public static Request of(
            Method method, RequestTarget target, Version version, Headers headers, Body body) {
        return new Request(method, target, version, headers, body, Headers.EMPTY, Map.of(), null);
    }

    /// @param peer that it came from
    public static Request of(
            Method method,
            RequestTarget target,
            Version version,
            Headers headers,
            Body body,
            @Nullable Peer peer) {
        return new Request(method, target, version, headers, body, Headers.EMPTY, Map.of(), peer);
    }

    public static Request of(Method method, RequestTarget target) {
        return of(method, target, Version.HTTP_1_1, Headers.EMPTY, Body.empty());
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request get(String target) {
        return of(Method.GET, RequestTarget.of(target));
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request post(String target, Body body) {
        return of(Method.POST, RequestTarget.of(target)).withBody(body);
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request put(String target, Body body) {
        return of(Method.PUT, RequestTarget.of(target)).withBody(body);
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request patch(String target, Body body) {
        return of(Method.PATCH, RequestTarget.of(target)).withBody(body);
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request delete(String target) {
        return of(Method.DELETE, RequestTarget.of(target));
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request head(String target) {
        return of(Method.HEAD, RequestTarget.of(target));
    }

    public Method method() {
        return method;
    }

    public RequestTarget target() {
        return target;
    }

    /// Short for `target().path()`.
    public String path() {
        return target.path();
    }

    /// Returns the parameters behind "?", decoded; parsed by each call.
    ///
    /// @throws HttpException 400 when there are more than [Parameters#MAX_IN_QUERY]
    public Parameters query() {
        String query = target.query();
        return query == null || query.isEmpty()
                ? Parameters.EMPTY
                : Parameters.parse(query, Parameters.MAX_IN_QUERY);
    }

    /// Returns the value of a cookie (RFC 6265); null if there is none of that name.
    public @Nullable String cookie(String name) {
        return Cookie.find(headers.all(HeaderName.COOKIE), name);
    }

    /// Returns what stands in the path for `{name}` of the route that matched, decoded.
    ///
    /// @throws IllegalArgumentException when the route has no such parameter
    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "parameter: " + name + " (expected: one of " + parameters.keySet() + ")");
        }
        return value;
    }

    /// Returns all parameters of the path, by name.
    public Map<String, String> parameters() {
        return parameters;
    }

    /// Returns the fields that came behind the body (RFC 9110, 6.5). Those of a streamed body are
    /// there when it has been read.
    public Headers trailers() {
        return body instanceof Body.Stream stream ? stream.source().trailers() : trailers;
    }

    /// The version it came in; a client's wire chooses its own.
    public Version version() {
        return version;
    }

    public Headers headers() {
        return headers;
    }

    /// Returns the end that the request came from; null for one that did not come over a
    /// connection.
    public @Nullable Peer peer() {
        return peer;
    }

    public Body body() {
        return body;
    }

    /// This request with one field of this name.
    ///
    /// @throws IllegalArgumentException when the value has a forbidden character
    public Request withHeader(HeaderName name, String value) {
        return withHeaders(headers.with(name, value));
    }

    /// @throws IllegalArgumentException when the name is no token, or the value has a forbidden
    ///     character
    public Request withHeader(String name, String value) {
        return withHeader(HeaderName.of(name), value);
    }

    public Request withHeaders(Headers headers) {
        return new Request(method, target, version, headers, body, trailers, parameters, peer);
    }

    public Request withBody(Body body) {
        return new Request(method, target, version, headers, body, trailers, parameters, peer);
    }

    public Request withTrailers(Headers trailers) {
        return new Request(method, target, version, headers, body, trailers, parameters, peer);
    }

    /// This request with what stands in its path for the names of a route.
    public Request withParameters(Map<String, String> parameters) {
        return new Request(
                method, target, version, headers, body, trailers, Map.copyOf(parameters), peer);
    }

    /// This request as one that came from `peer`. For wires and tests.
    public Request withPeer(Peer peer) {
        return new Request(method, target, version, headers, body, trailers, parameters, peer);
    }

    /// Without headers and body, which may be secrets.
    @Override
    public String toString() {
        return method + " " + target + " " + version;
    }
}
