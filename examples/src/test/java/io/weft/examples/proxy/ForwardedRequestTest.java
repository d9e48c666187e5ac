package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.handler.haproxy.TrustedProxies;
import io.weft.http.model.Headers;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForwardedRequestTest {
    private record From(InetSocketAddress address) implements Peer {
        @Override
        public @Nullable SocketAddress localAddress() {
            return null;
        }

        @Override
        public @Nullable Tls tls() {
            return null;
        }
    }

    /// Servers and their rules compare texts.
    @Test
    void addressesOfIpv6AreCanonicalAndWithoutAZone() throws Exception {
        byte[] ip = InetAddress.ofLiteral("fe80::1:0:0:1").getAddress();
        Peer peer = new From(new InetSocketAddress(Inet6Address.getByAddress("", ip, 3), 7));
        Headers fields =
                ForwardedRequest.of(
                                Request.get("http://h/"),
                                peer,
                                TrustedProxies.of(),
                                InetSocketAddress.createUnresolved("server", 80))
                        .headers();
        assertThat(fields.first("forwarded")).startsWith("for=\"[fe80::1:0:0:1]\";proto=http");
        assertThat(fields.first("x-forwarded-for")).isEqualTo("fe80::1:0:0:1");
    }
}
