package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.Served;
import io.weft.handler.proxy.ProxyChain;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Our proxies one behind another, as our client asks them.
@Timeout(300)
class ProxiesInChainTest {
    private static HttpServer origin() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .blocking(
                        request ->
                                Response.text(
                                        "" + request.body().asInputStream().readAllBytes().length))
                .listen();
    }

    private static Served socks() {
        Extras extras = SocksProxy.extras("--user", "me:se:cret");
        return Served.start(options -> SocksProxy.start(options, extras), "nio");
    }

    private static Served http() {
        Extras extras = ForwardProxy.extras("--user", "you:p@ss", "--connect-port", "any");
        return Served.start(options -> ForwardProxy.start(options, extras), "nio");
    }

    private static HttpClient client(String... proxies) {
        return HttpClient.builder().transport("nio").tunnel(ProxyChain.of(proxies)).build();
    }

    @ParameterizedTest
    @CsvSource({"true, socks5", "true, socks5h", "false, socks5", "false, socks5h"})
    void chainsCarryRequests(boolean socksFirst, String scheme) throws Exception {
        try (HttpServer origin = origin();
                Served socks = socks();
                Served http = http()) {
            String one = scheme + "://me:se%3Acret@127.0.0.1:" + socks.address().getPort();
            String two = "http://you:p%40ss@127.0.0.1:" + http.address().getPort();
            try (HttpClient client = socksFirst ? client(one, two) : client(two, one)) {
                String url = "http://localhost:" + origin.address().getPort() + "/";
                Response answer = client.send(Request.post(url, Body.of("x".repeat(1 << 20))));
                assertThat(answer.body().asString()).isEqualTo("" + (1 << 20));
            }
        }
    }

    @Test
    void refusalOfTheSecondProxyIsTold() throws Exception {
        try (HttpServer origin = origin();
                Served socks = socks();
                Served http = http()) {
            String one = "socks5://me:se%3Acret@127.0.0.1:" + socks.address().getPort();
            String two = "http://you:wrong@127.0.0.1:" + http.address().getPort();
            try (HttpClient client = client(one, two)) {
                String url = "http://127.0.0.1:" + origin.address().getPort() + "/";
                assertThatThrownBy(() -> client.get(url))
                        .isInstanceOf(HttpClientException.ConnectFailed.class)
                        .rootCause()
                        .hasMessageContaining("407")
                        .hasMessageNotContaining("wrong");
            }
        }
    }
}
