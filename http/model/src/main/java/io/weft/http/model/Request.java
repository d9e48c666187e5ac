package io.weft.http.model;

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

    private Request(
            Method method, RequestTarget target, Version version, Headers headers, Body body) {
        this.method = method;
        this.target = target;
        this.version = version;
        this.headers = headers;
        this.body = body;
    }

    public static Request of(
            Method method, RequestTarget target, Version version, Headers headers, Body body) {
        return new Request(method, target, version, headers, body);
    }

    public static Request of(Method method, RequestTarget target) {
        return new Request(method, target, Version.HTTP_1_1, Headers.EMPTY, Body.empty());
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request get(String target) {
        return of(Method.GET, RequestTarget.of(target));
    }

    /// @throws IllegalArgumentException unless `target` is a [RequestTarget]
    public static Request post(String target, Body body) {
        return of(Method.POST, RequestTarget.of(target)).withBody(body);
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

    /// The version it came in; a client's wire chooses its own.
    public Version version() {
        return version;
    }

    public Headers headers() {
        return headers;
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
        return new Request(method, target, version, headers, body);
    }

    public Request withBody(Body body) {
        return new Request(method, target, version, headers, body);
    }

    /// Without headers and body, which may be secrets.
    @Override
    public String toString() {
        return method + " " + target + " " + version;
    }
}
