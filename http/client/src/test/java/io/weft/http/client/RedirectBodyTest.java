package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.transport.sim.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The body of a redirect, which nobody reads: what is long in coming holds the next request up no
/// longer than a new connection is worth.
class RedirectBodyTest {
    private static final String FOUND = " 302 Found\r\nLocation: http://t:81/end\r\n";

    /// As long as a wait for the body may be, and what the clock of a loop is coarse by.
    private static final Duration SHORT = Duration.ofMillis(1500);

    private static ScriptedPeer asked() {
        return new ScriptedPeer()
                .expects(
                        """
                        GET / HTTP/1.1\r
                        host: s\r
                        user-agent: weft\r
                        accept-encoding: gzip, deflate\r
                        \r
                        """);
    }

    private static Duration follow(ScriptedPeer peer) throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb().script(80, peer).serve(81, r -> Response.text("end"))) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("end");
            Duration elapsed = web.simulation.elapsed();
            web.run(Duration.ofSeconds(1));
            web.check();
            return elapsed;
        }
    }

    @Test
    void aBodyThatDoesNotComeIsNotWaitedFor() throws Exception {
        ScriptedPeer peer =
                asked().sends("HTTP/1.1" + FOUND + "Content-Length: 5\r\n\r\n").expectsClose();
        assertThat(follow(peer)).isLessThan(SHORT);
    }

    @Test
    void aBodyThatDripsIsNotWaitedFor() throws Exception {
        ScriptedPeer peer =
                asked().sends("HTTP/1.1" + FOUND + "Transfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 4; i++) {
            peer.sends("1\r\nx\r\n").waits(Duration.ofMillis(100));
        }
        assertThat(follow(peer.expectsClose())).isLessThan(SHORT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1" + FOUND,
                "HTTP/1.0" + FOUND,
                "HTTP/1.0" + FOUND + "Content-Length: 5\r\n",
                "HTTP/1.1" + FOUND + "Connection: close\r\nTransfer-Encoding: chunked\r\n"
            })
    void aBodyThatEndsWithTheConnectionIsGivenUpAtOnce(String head) throws Exception {
        assertThat(follow(asked().sends(head + "\r\n").expectsClose()))
                .isLessThan(Duration.ofMillis(400));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200})
    void aBodyThatComesSoonKeepsItsConnection(int millis) throws Exception {
        ScriptedPeer peer =
                asked().sends("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 5\r\n\r\nhe");
        if (millis > 0) {
            peer.waits(Duration.ofMillis(millis));
        }
        peer.sends("llo");
        peer.expects(
                """
                GET / HTTP/1.1\r
                host: s\r
                user-agent: weft\r
                accept-encoding: gzip, deflate\r
                \r
                """);
        peer.sends("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend");
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("end");
            assertThat(web.connections).isEqualTo(1);
            web.check();
        }
    }

    @Test
    void aStreamIsResetAtOnceAndItsConnectionKept() throws Exception {
        List<Http2Peer> peers = new ArrayList<>();
        Http2Peer.Script script =
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (peer.exchanges.size() == 1) {
                            Headers to = Headers.of("location", "/end");
                            exchange.stream.response(Status.FOUND, to, false);
                            peer.flush();
                        } else {
                            peer.respond(exchange, Status.OK, Headers.EMPTY, new byte[3]);
                        }
                    }
                };
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2))) {
            web.handle(
                    80,
                    () -> {
                        peers.add(new Http2Peer(Http2Limits.DEFAULT, script));
                        return peers.getLast();
                    });
            assertThat(web.get("http://s/").body().length()).isEqualTo(3);
            assertThat(web.simulation.elapsed()).isLessThan(Duration.ofMillis(400));
            assertThat(peers).hasSize(1);
            assertThat(peers.getFirst().exchanges.getFirst().reset).isNotEqualTo(-1);
        }
    }
}
