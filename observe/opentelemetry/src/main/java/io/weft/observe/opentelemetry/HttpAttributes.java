package io.weft.observe.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.weft.http.client.Origin;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Attributes of OpenTelemetry's conventions for HTTP, 1.23 and later.
final class HttpAttributes {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    static final AttributeKey<String> METHOD_ORIGINAL =
            AttributeKey.stringKey("http.request.method_original");
    static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> URL_PATH = AttributeKey.stringKey("url.path");
    static final AttributeKey<String> URL_SCHEME = AttributeKey.stringKey("url.scheme");
    static final AttributeKey<String> URL_FULL = AttributeKey.stringKey("url.full");
    static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
    static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");
    static final AttributeKey<String> CLIENT_ADDRESS = AttributeKey.stringKey("client.address");
    static final AttributeKey<String> PEER_ADDRESS = AttributeKey.stringKey("network.peer.address");
    static final AttributeKey<Long> PEER_PORT = AttributeKey.longKey("network.peer.port");
    static final AttributeKey<String> PROTOCOL_VERSION =
            AttributeKey.stringKey("network.protocol.version");
    static final AttributeKey<String> USER_AGENT = AttributeKey.stringKey("user_agent.original");

    private static final int MAX_TEXT = 1024;

    private HttpAttributes() {}

    /// The name of a span without a route: the method, or `HTTP` for an unknown one.
    static String method(Request request) {
        Method method = request.method();
        return method.isRegistered() ? method.name() : "HTTP";
    }

    static Attributes ofServer(Request request) {
        AttributesBuilder attributes = Attributes.builder();
        method(request, attributes);
        attributes.put(URL_PATH, cut(request.path()));
        attributes.put(PROTOCOL_VERSION, request.version().number());
        server(attributes, request.headers().first(HeaderName.HOST));
        put(attributes, USER_AGENT, request.headers().first(HeaderName.USER_AGENT));
        Peer peer = request.peer();
        attributes.put(URL_SCHEME, peer != null && peer.tls() != null ? "https" : "http");
        if (peer != null && peer.address() instanceof InetSocketAddress address) {
            attributes.put(CLIENT_ADDRESS, address.getHostString());
            attributes.put(PEER_ADDRESS, address.getHostString());
            attributes.put(PEER_PORT, (long) address.getPort());
        }
        return attributes.build();
    }

    /// The name and the port that a client has asked for, which are attributes of their own.
    private static void server(AttributesBuilder attributes, @Nullable String authority) {
        if (authority == null) {
            return;
        }
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        put(attributes, SERVER_ADDRESS, hasPort ? authority.substring(0, colon) : authority);
        String port = hasPort ? authority.substring(colon + 1) : "";
        if (port.matches("[0-9]{1,5}")) {
            attributes.put(SERVER_PORT, Long.parseLong(port));
        }
    }

    static Attributes ofClient(Request request) {
        AttributesBuilder attributes = Attributes.builder();
        method(request, attributes);
        Origin origin = Origin.of(request.target());
        attributes.put(SERVER_ADDRESS, origin.host());
        attributes.put(SERVER_PORT, (long) origin.port());
        attributes.put(URL_SCHEME, origin.secure() ? "https" : "http");
        attributes.put(URL_FULL, cut(origin + request.path()));
        return attributes.build();
    }

    private static void method(Request request, AttributesBuilder attributes) {
        Method method = request.method();
        attributes.put(METHOD, method.isRegistered() ? method.name() : "_OTHER");
        if (!method.isRegistered()) {
            attributes.put(METHOD_ORIGINAL, cut(method.name()));
        }
    }

    private static void put(
            AttributesBuilder attributes, AttributeKey<String> key, @Nullable String value) {
        if (value != null) {
            attributes.put(key, cut(value));
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}
