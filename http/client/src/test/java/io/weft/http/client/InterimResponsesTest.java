package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.client.HttpClientException.Malformed;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import io.weft.testkit.Warns;
import io.weft.transport.sim.ScriptedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Interim responses over both wires, on a simulated network.
class InterimResponsesTest {
    private static final Request GET = Request.get("http://s/");
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";

    private final List<String> told = new ArrayList<>();

    private CompletableFuture<StreamedResponse> open(SimulatedWeb web, Request request) {
        return web.client().openAsync(request, this::tell);
    }

    private void tell(Status status, Headers headers) {
        told.add(status.code() + " " + headers.first("link"));
    }

    private static String text(SimulatedWeb web, CompletableFuture<StreamedResponse> opened)
            throws Exception {
        return web.await(web.await(opened).collect(100).toCompletableFuture()).body().asString();
    }

    private static SimulatedWeb http1(String... answers) {
        ScriptedPeer peer = new ScriptedPeer();
        String asked = "GET / HTTP/1.1\nhost: s\nuser-agent: weft\naccept-encoding: gzip, deflate";
        peer.expects(asked.replace("\n", "\r\n") + "\r\n\r\n");
        for (String answer : answers) {
            peer.sends(answer);
        }
        return new SimulatedWeb().script(80, peer);
    }

    private static SimulatedWeb http2(Http2Peer.Script script) {
        return new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2))
                .handle(80, () -> new Http2Peer(Http2Limits.DEFAULT, script));
    }

    private static Http2Peer.Script hinting(int hints) {
        return new Http2Peer.Script() {
            @Override
            public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                exchange.stream.response(Status.CONTINUE, Headers.EMPTY, false);
                for (int i = 0; i < hints; i++) {
                    Headers link = Headers.of("link", "</" + i + ">");
                    exchange.stream.response(Status.EARLY_HINTS, link, false);
                }
            }
        };
    }

    @Test
    void hintsAreToldBeforeTheResponse() throws Exception {
        try (SimulatedWeb web =
                http1("HTTP/1.1 102 Processing\r\n\r\n" + HINTS, HINTS.replace("a", "b"), OK)) {
            assertThat(text(web, open(web, GET))).isEqualTo("ok");
            assertThat(told).containsExactly("102 null", "103 </a.css>", "103 </b.css>");
        }
    }

    @Test
    void hintsAreToldOverHttp2() throws Exception {
        try (SimulatedWeb web = http2(hinting(2))) {
            assertThat(text(web, open(web, Request.post("http://s/", Body.of("x")))))
                    .isEqualTo("x");
            assertThat(told).containsExactly("103 </0>", "103 </1>");
        }
    }

    @Test
    void hintsAreToldAtOnce() throws Exception {
        try (SimulatedWeb web = http1(HINTS)) {
            CompletableFuture<StreamedResponse> opened = open(web, GET);
            web.runUntil(() -> !told.isEmpty());
            assertThat(opened).isNotDone();
            assertThat(opened.cancel(true)).isTrue();
        }
    }

    @Test
    void hundredIsNotTold() throws Exception {
        try (SimulatedWeb web = http1("HTTP/1.1 100 Continue\r\n\r\n" + HINTS + OK)) {
            assertThat(text(web, open(web, GET))).isEqualTo("ok");
            assertThat(told).containsExactly("103 </a.css>");
        }
    }

    @Test
    void hintsAreToldBeforeAnotherProtocol() throws Exception {
        String fields = "connection: upgrade\r\nupgrade: echo\r\n";
        ScriptedPeer peer = new ScriptedPeer().expects("GET / HTTP/1.1\r\nhost: s\r\n" + fields);
        peer.sends(HINTS + "HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n");
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            Request offer =
                    GET.withHeaders(Headers.of("connection", "upgrade").with("upgrade", "echo"));
            ClientUpgrade to = (_, status, _) -> told.add(status.code() + " opened");
            assertThat(web.await(web.client().upgradeAsync(offer, to, this::tell)).status())
                    .isEqualTo(Status.SWITCHING_PROTOCOLS);
            assertThat(told).containsExactly("103 </a.css>", "101 opened");
        }
    }

    @Test
    void floodOfThemFailsTheRequest() throws Exception {
        try (SimulatedWeb web = http1(HINTS.repeat(33) + OK)) {
            assertThatThrownBy(() -> web.await(open(web, GET)))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("over 32");
            assertThat(told).hasSize(32);
        }
    }

    @Test
    void floodOfThemOverHttp2FailsTheRequest() throws Exception {
        try (SimulatedWeb web = http2(hinting(32))) {
            assertThatThrownBy(() -> web.await(open(web, GET)))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("over 32");
            assertThat(told).hasSize(31); // 100 counts
        }
    }

    /// Attack class: a response that others behind this client would take for the body of another.
    @Test
    void claimOfABodyFailsTheRequest() throws Exception {
        String claim = "HTTP/1.1 103 Early Hints\r\nContent-Length: %s\r\n\r\n";
        Http2Peer.Script script =
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        Headers length = Headers.of("content-length", "5");
                        exchange.stream.response(Status.EARLY_HINTS, length, false);
                    }
                };
        try (SimulatedWeb old = http1(claim.formatted("5") + OK);
                SimulatedWeb two = http2(script)) {
            for (SimulatedWeb web : List.of(old, two)) {
                assertThatThrownBy(() -> web.await(open(web, GET)))
                        .isInstanceOf(Malformed.class)
                        .rootCause()
                        .hasMessageContaining("content-length");
            }
        }
        try (SimulatedWeb web = http1(claim.formatted("0") + OK)) {
            assertThat(text(web, open(web, GET))).isEqualTo("ok");
        }
    }

    @Test
    @Warns
    void listenerThatFailsDoesNotFailTheRequest() throws Exception {
        try (SimulatedWeb web = http1(HINTS, OK)) {
            CompletableFuture<StreamedResponse> opened =
                    web.client()
                            .openAsync(
                                    GET,
                                    (_, _) -> {
                                        throw new IllegalStateException("on purpose");
                                    });
            assertThat(text(web, opened)).isEqualTo("ok");
        }
    }
}
