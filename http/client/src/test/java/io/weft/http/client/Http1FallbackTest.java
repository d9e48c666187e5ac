package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.engine.LocalAddress;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that speaks HTTP/2 and wants HTTP/1.1 (HTTP_1_1_REQUIRED, RFC 9113, 7).
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Http1FallbackTest {
    private static final String URL = "https://example.com/";
    private static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com");

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);

    /// Protocols that connections agreed on.
    private final List<String> agreed = new CopyOnWriteArrayList<>();

    /// Requests, with their versions.
    private final List<String> requests = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        group.close();
    }

    /// The refusal of a request over HTTP/2.
    private interface Refusal {
        void refuse(Http2Peer peer, Http2Peer.Exchange exchange);
    }

    private static void reset(Http2Peer peer, Http2Peer.Exchange exchange) {
        exchange.stream.reset(ErrorCode.HTTP_1_1_REQUIRED);
    }

    private LocalAddress serve(Refusal refusal) throws Exception {
        TlsContext tls = TlsContext.server(IDENTITY).applicationProtocols("h2", "http/1.1").build();
        var http1 =
                HttpServer.builder()
                        .handler(
                                request -> {
                                    requests.add("1.1 " + request.method());
                                    return Response.of(Status.OK, Headers.EMPTY, request.body());
                                })
                        .initializer();
        Http2Peer.Script script =
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        requests.add("2 " + exchange.head.method());
                        refusal.refuse(peer, exchange);
                    }
                };
        LocalAddress address = LocalAddress.unique();
        new ServerBootstrap(group)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(
                        channel -> {
                            TlsHandler handler = TlsHandler.server(tls);
                            channel.pipeline().addLast(handler);
                            var _ =
                                    handler.handshake()
                                            .addListener(
                                                    outcome -> {
                                                        var session = outcome.now();
                                                        if (session != null) {
                                                            choose(
                                                                    channel,
                                                                    session.applicationProtocol(),
                                                                    script,
                                                                    http1);
                                                        }
                                                    });
                        })
                .bind(address)
                .join();
        return address;
    }

    private void choose(
            Channel channel,
            @Nullable String protocol,
            Http2Peer.Script script,
            ChannelInitializer http1) {
        agreed.add(String.valueOf(protocol));
        if ("h2".equals(protocol)) {
            Http2Peer peer = new Http2Peer(Http2Limits.DEFAULT, script);
            channel.pipeline().addLast(peer);
            peer.flush();
        } else {
            try {
                http1.initChannel(channel);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private HttpClient client(LocalAddress address, HttpProtocol protocol) throws Exception {
        return HttpClient.builder()
                .group(group)
                .protocol(protocol)
                .tls(
                        TlsContext.client()
                                .trust(IDENTITY.certificate())
                                .applicationProtocols("h2", "http/1.1")
                                .build())
                .bootstrap(b -> b.remoteAddress(_ -> address))
                .build();
    }

    @Test
    void requestThatIsResetGoesByHttp1AndSoDoThoseBehindIt() throws Exception {
        try (HttpClient client = client(serve(Http1FallbackTest::reset), HttpProtocol.NEGOTIATED)) {
            Request put = Request.of(Method.PUT, Request.get(URL).target());
            assertThat(client.send(put.withBody(Body.of("again"))).body().asString())
                    .isEqualTo("again");
            assertThat(client.post(URL, Body.of("then")).body().asString()).isEqualTo("then");
        }
        assertThat(agreed).containsExactly("h2", "http/1.1");
        assertThat(requests).containsExactly("2 PUT", "1.1 PUT", "1.1 POST");
    }

    @Test
    void requestThatMayDoHarmTwiceFailsAndTheNextGoesByHttp1() throws Exception {
        try (HttpClient client = client(serve(Http1FallbackTest::reset), HttpProtocol.NEGOTIATED)) {
            assertThatThrownBy(() -> client.post(URL, Body.of("once")))
                    .isInstanceOf(Disconnected.class)
                    .hasMessageContaining("HTTP_1_1_REQUIRED");
            assertThat(client.post(URL, Body.of("then")).body().asString()).isEqualTo("then");
        }
        assertThat(requests).containsExactly("2 POST", "1.1 POST");
    }

    /// A request that GOAWAY leaves out was not processed, whatever its method; the rest is
    /// idempotent.
    @Test
    void requestsOfAConnectionThatGoesAwayGoByHttp1() throws Exception {
        Refusal goAway =
                (peer, _) -> {
                    peer.h2().fail(new Http2Exception(ErrorCode.HTTP_1_1_REQUIRED, "1.1 only"));
                    peer.close();
                };
        try (HttpClient client = client(serve(goAway), HttpProtocol.NEGOTIATED)) {
            List<CompletableFuture<Response>> all =
                    IntStream.range(0, 10)
                            .mapToObj(i -> client.sendAsync(Request.get(URL + i)))
                            .toList();
            for (CompletableFuture<Response> one : all) {
                assertThat(one.get().status()).isEqualTo(Status.OK);
            }
        }
        assertThat(requests.stream().filter("1.1 GET"::equals)).hasSize(10);
        assertThat(agreed.stream().filter("h2"::equals)).hasSize(1);
    }

    @Test
    void goAwayThatLeavesARequestOutLetsItGoByHttp1WhateverItIs() throws Exception {
        Refusal goAway =
                (peer, _) ->
                        peer.write(new byte[] {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13});
        try (HttpClient client = client(serve(goAway), HttpProtocol.NEGOTIATED)) {
            assertThat(client.post(URL, Body.of("mine")).body().asString()).isEqualTo("mine");
        }
        assertThat(requests).containsExactly("2 POST", "1.1 POST");
    }

    @Test
    void clientThatInsistsOnHttp2IsTold() throws Exception {
        try (HttpClient client = client(serve(Http1FallbackTest::reset), HttpProtocol.HTTP_2)) {
            assertThatThrownBy(() -> client.get(URL))
                    .isInstanceOf(Disconnected.class)
                    .hasMessageContaining("HTTP_1_1_REQUIRED");
        }
        assertThat(requests).containsExactly("2 GET");
        assertThat(agreed).containsExactly("h2");
    }

    @Test
    void originsAreForgottenBehindTooManyOthers() throws Exception {
        TlsContext both = TlsContext.client().applicationProtocols("h2", "http/1.1").build();
        try (Http1Fallback fallback = new Http1Fallback(both)) {
            for (int i = 0; i <= Http1Fallback.MOST; i++) {
                fallback.add(new Origin(true, "host" + i, 443));
            }
            assertThat(fallback.contains(new Origin(true, "host0", 443))).isFalse();
            Origin kept = new Origin(true, "host1", 443);
            assertThat(fallback.contains(kept)).isTrue();
            assertThat(fallback.tls(new Route(kept, null)).settings().applicationProtocols())
                    .containsExactly("http/1.1");
            Route other = new Route(new Origin(true, "other", 443), null);
            assertThat(fallback.tls(other)).isSameAs(both);
        }
    }
}
