package io.weft.examples.proxy;

import io.weft.handler.haproxy.TrustedProxies;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.loop.IpAddresses;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Requests as [ReverseProxy] passes them on: with Forwarded (RFC 7239) and its predecessors, which
/// tell who asked, and how.
final class ForwardedRequest {
    private ForwardedRequest() {}

    /// Adds the fields to a request that is without those of its connection.
    ///
    /// @param peer of the connection that it came on
    /// @param trusted peers that are believed about the way to them; of others the fields are
    ///     dropped
    /// @param server that gets it, for a client that named no host
    static Request of(
            Request request,
            @Nullable Peer peer,
            TrustedProxies trusted,
            InetSocketAddress server) {
        SocketAddress address = peer == null ? null : peer.address();
        Headers before =
                trusted.contains(address)
                        ? request.headers()
                        : Claims.without(request.headers()).build();
        HeadersBuilder fields = before.toBuilder();
        String host = before.first(HeaderName.HOST);
        String ip = ip(address);
        String proto = peer != null && peer.tls() != null ? "https" : "http";
        append(before, fields, HeaderName.FORWARDED, forwarded(ip, proto, host));
        append(before, fields, HeaderName.X_FORWARDED_FOR, ip);
        if (!before.contains(HeaderName.X_FORWARDED_PROTO)) {
            fields.set(HeaderName.X_FORWARDED_PROTO, proto);
        }
        if (host == null) {
            fields.set(HeaderName.HOST, authority(server));
        } else if (!before.contains(HeaderName.X_FORWARDED_HOST)) {
            fields.set(HeaderName.X_FORWARDED_HOST, host);
        }
        return Claims.withoutTrailing(request.withHeaders(fields.build()));
    }

    private static void append(
            Headers before, HeadersBuilder fields, HeaderName name, String element) {
        if (before.contains(name)) {
            fields.set(name, String.join(", ", before.all(name)) + ", " + element);
        } else {
            fields.add(name, element);
        }
    }

    /// RFC 7239, 4 and 6.
    private static String forwarded(String ip, String proto, @Nullable String host) {
        return "for="
                + (ip.indexOf(':') >= 0 ? "\"[" + ip + "]\"" : ip)
                + ";proto="
                + proto
                + (host == null
                        ? ""
                        : ";host=\"" + host.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }

    private static String ip(@Nullable SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return "unknown";
        }
        StringBuilder text = new StringBuilder(39);
        // In the canonical form; without a zone, which is of this machine alone.
        IpAddresses.append(text, inet.getAddress().getAddress());
        return text.toString();
    }

    static String authority(InetSocketAddress server) {
        String name = server.getHostString();
        return (name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + server.getPort();
    }
}
