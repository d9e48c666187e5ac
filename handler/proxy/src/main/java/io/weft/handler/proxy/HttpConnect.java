package io.weft.handler.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;
import io.weft.http.http1.RequestEncoder;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.http1.ResponsePart.BodyPart;
import io.weft.http.http1.ResponsePart.Framing;
import io.weft.http.http1.ResponsePart.ResponseHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.loop.IpAddresses;
import java.net.InetSocketAddress;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// CONNECT of HTTP (RFC 9110, 9.3.6).
final class HttpConnect implements Negotiation {
    /// Characters of a proxy's field that a message has.
    private static final int QUOTED = 200;

    private final ProxyServer.Http proxy;
    private final InetSocketAddress destination;
    private final ResponseDecoder decoder = new ResponseDecoder();
    private @Nullable ResponseHead refusal;

    HttpConnect(ProxyServer.Http proxy, InetSocketAddress destination) {
        this.proxy = proxy;
        this.destination = destination;
    }

    @Override
    public void begin(Output out) {
        String authority = authority(destination);
        HeadersBuilder fields = Headers.builder().add(HeaderName.HOST, authority);
        proxy.headers().forEach(field -> fields.add(field.name(), field.value()));
        ProxyServer.Login login = proxy.login();
        if (login != null) {
            fields.set(HeaderName.PROXY_AUTHORIZATION, basic(login));
        }
        Request request =
                Request.of(Method.CONNECT, RequestTarget.of(authority)).withHeaders(fields.build());
        decoder.expect(Method.CONNECT, false);
        var _ = new RequestEncoder().head(request, false, out.buffer(256));
    }

    /// An address of IPv6 in its canonical form (RFC 5952), which proxies compare with their rules,
    /// and without a zone: that is of this machine alone (RFC 6874, 1).
    private static String authority(InetSocketAddress destination) {
        String host = destination.getHostString();
        StringBuilder text = new StringBuilder(64);
        byte[] sixteen = new byte[16];
        if (!destination.isUnresolved()) {
            append(text, destination.getAddress().getAddress());
        } else if (IpAddresses.parseIpv6(host, sixteen, 0)) {
            append(text, sixteen);
        } else {
            text.append(host);
        }
        return text.append(':').append(destination.getPort()).toString();
    }

    private static void append(StringBuilder text, byte[] address) {
        boolean six = address.length == 16;
        IpAddresses.append(six ? text.append('[') : text, address);
        if (six) {
            text.append(']');
        }
    }

    /// RFC 7617.
    private static String basic(ProxyServer.Login login) {
        String both = login.user() + ":" + login.password();
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
    }

    @Override
    public boolean receive(Buffer in, Output out) throws ProxyException {
        decoder.decode(
                in,
                part -> {
                    if (part instanceof BodyPart body) {
                        body.data().release();
                    } else if (part instanceof ResponseHead head
                            && head.framing() != Framing.TUNNEL
                            && head.status().code() >= 200) {
                        refusal = head;
                        decoder.pause();
                    }
                });
        ResponseHead head = refusal;
        if (head == null) {
            return decoder.isTunnel();
        }
        if (head.status().code() == 407) {
            String challenge = head.headers().first(HeaderName.of("proxy-authenticate"));
            throw new ProxyException.AuthenticationFailed(
                    proxy, head.status() + (challenge == null ? "" : ", " + quoted(challenge)));
        }
        throw new ProxyException.Refused(proxy, head.status().code(), head.status().toString());
    }

    /// The text for a message, not all of it.
    private static String quoted(String text) {
        return text.length() > QUOTED ? text.substring(0, QUOTED) + "..." : text;
    }
}
