package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.client.HttpClientException.UpgradeFailed;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Upgrade;
import io.weft.transport.sim.ScriptedPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests behind which a connection carries another protocol, on a simulated network.
class ClientUpgradeTest {
    private static final String URL = "http://example.com/";
    private static final Headers UPGRADE =
            Headers.of("connection", "upgrade").with("upgrade", "echo");
    private static final String AGREED =
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n";

    private final SimulatedWeb web = new SimulatedWeb();

    private final EchoTunnel tunnel = new EchoTunnel();

    @AfterEach
    void end() {
        web.close();
    }

    private StreamedResponse upgrade(Request request) throws Exception {
        return web.await(web.client().upgradeAsync(request, (there, _, _) -> tunnel.listen(there)));
    }

    private static Request offer() {
        return Request.get(URL).withHeaders(UPGRADE);
    }

    @Test
    void protocolGetsTheChannel() throws Exception {
        web.serve(80, request -> Upgrade.to("echo", Headers.of("x", "y"), EchoTunnel::echo));
        try (StreamedResponse response = upgrade(offer())) {
            assertThat(response.status()).isEqualTo(Status.SWITCHING_PROTOCOLS);
            assertThat(response.headers().first("x")).isEqualTo("y");
        }
        tunnel.say("hello");
        web.runUntil(() -> tunnel.heard.toString().equals("hello"));
        // It is no connection of the client's any more.
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    @Test
    void bytesBehindTheResponseAreTheProtocols() throws Exception {
        ScriptedPeer peer =
                new ScriptedPeer()
                        .expects("GET / HTTP/1.1\r\nhost: example.com\r\n")
                        .expectsBytes(
                                "connection: upgrade\r\nupgrade: echo\r\nuser-agent: weft\r\n\r\n"
                                                .length()
                                        + "accept-encoding: gzip, deflate\r\n".length())
                        .sends(AGREED + "HTTP/1.1 200 is no response here\r\n");
        web.script(80, peer);
        assertThat(upgrade(offer()).status()).isEqualTo(Status.SWITCHING_PROTOCOLS);
        web.runUntil(() -> tunnel.heard.length() > 0);
        assertThat(tunnel.heard).hasToString("HTTP/1.1 200 is no response here\r\n");
        web.check();
    }

    @Test
    void serverThatDoesNotAgreeIsHeard() throws Exception {
        web.serve(
                80, request -> Response.of(Status.UPGRADE_REQUIRED, Headers.EMPTY, Body.of("no")));
        try (StreamedResponse response = upgrade(offer())) {
            assertThat(response.status()).isEqualTo(Status.UPGRADE_REQUIRED);
            Response whole = web.await(response.collect(10).toCompletableFuture());
            assertThat(whole.body().asString()).isEqualTo("no");
        }
        assertThat(tunnel.isOpened()).isFalse();
        // The connection is as good as any.
        try (StreamedResponse again = upgrade(offer())) {
            assertThat(again.status()).isEqualTo(Status.UPGRADE_REQUIRED);
        }
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void protocolThatRefusesWhatTheServerAgreedToEndsTheConnection() {
        web.serve(80, request -> Upgrade.to("echo", Headers.EMPTY, _ -> {}));
        CompletableFuture<StreamedResponse> call =
                web.client()
                        .upgradeAsync(
                                offer(),
                                (_, _, _) -> {
                                    throw new IllegalStateException("not this echo");
                                });
        assertThatThrownBy(() -> web.await(call))
                .isInstanceOf(UpgradeFailed.class)
                .hasMessageContaining("not this echo");
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    /// It has the channel, but whoever asked for it has not.
    @Test
    void channelOfACallThatIsCancelledWhileItOpensIsClosed() {
        web.serve(80, request -> Upgrade.to("echo", Headers.EMPTY, EchoTunnel::echo));
        cancelWhileItOpens(web, tunnel);
    }

    @Test
    void streamOfACallThatIsCancelledWhileItOpensIsClosed() {
        try (SimulatedWeb web2 =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2))) {
            web2.serve(80, request -> Upgrade.to("echo", Headers.EMPTY, EchoTunnel::echo));
            cancelWhileItOpens(web2, new EchoTunnel());
        }
    }

    private static void cancelWhileItOpens(SimulatedWeb web, EchoTunnel tunnel) {
        List<CompletableFuture<StreamedResponse>> calls = new ArrayList<>();
        calls.add(
                web.client()
                        .upgradeAsync(
                                offer(),
                                (there, _, _) -> {
                                    tunnel.listen(there);
                                    calls.getFirst().cancel(true);
                                }));
        web.runUntil(() -> tunnel.ended);
        assertThat(tunnel.channel().isOpen()).isFalse();
        assertThat(calls.getFirst().isCancelled()).isTrue();
    }

    @Test
    void redirectIsFollowed() throws Exception {
        web.serve(
                80,
                request ->
                        request.path().equals("/")
                                ? Response.of(
                                        Status.TEMPORARY_REDIRECT,
                                        Headers.of("location", "/echo"),
                                        Body.empty())
                                : Upgrade.to("echo", Headers.EMPTY, EchoTunnel::echo));
        assertThat(upgrade(offer()).request().path()).isEqualTo("/echo");
        tunnel.say("there");
        web.runUntil(() -> tunnel.heard.toString().equals("there"));
    }

    /// A response to a request that offers nothing must not end HTTP on the connection.
    @Test
    void upgradeThatNobodyTakesIsNoResponse() {
        web.script(80, new ScriptedPeer().expects("GET / HTTP/1.1\r\n").sends(AGREED));
        assertThatThrownBy(() -> web.send(Request.get(URL)))
                .isInstanceOf(HttpClientException.class)
                .hasMessageContaining("101");
    }

    @Test
    void connectOpensATunnel() throws Exception {
        web.serve(
                80,
                request ->
                        request.method() == Method.CONNECT
                                ? Upgrade.connected(EchoTunnel::echo)
                                : Response.of(Status.BAD_REQUEST));
        Origin proxy = new Origin(false, "proxy.example.com", 80);
        Headers credentials = Headers.of("proxy-authorization", "Basic eDp5");
        StreamedResponse response =
                web.await(
                        web.client()
                                .connectAsync(
                                        proxy,
                                        "db.example.com:5432",
                                        credentials,
                                        (there, _, _) -> tunnel.listen(there)));
        assertThat(response.status()).isEqualTo(Status.OK);
        Request asked = web.requests.getFirst();
        assertThat(asked.target()).hasToString("db.example.com:5432");
        assertThat(asked.headers().first("host")).isEqualTo("db.example.com:5432");
        assertThat(asked.headers().first("proxy-authorization")).isEqualTo("Basic eDp5");
        tunnel.say("select");
        web.runUntil(() -> tunnel.heard.toString().equals("select"));
    }

    @Test
    void tunnelThatIsRefusedIsHeard() throws Exception {
        web.serve(
                80, request -> Response.of(Status.FORBIDDEN, Headers.EMPTY, Body.of("not there")));
        Origin proxy = new Origin(false, "proxy.example.com", 80);
        StreamedResponse response =
                web.await(
                        web.client()
                                .connectAsync(
                                        proxy,
                                        "db.example.com:22",
                                        Headers.EMPTY,
                                        (there, _, _) -> tunnel.listen(there)));
        assertThat(response.status()).isEqualTo(Status.FORBIDDEN);
        Response whole = web.await(response.collect(100).toCompletableFuture());
        assertThat(whole.body().asString()).isEqualTo("not there");
        assertThat(tunnel.isOpened()).isFalse();
    }

    @Test
    void connectionThatEndsBeforeTheResponseFailsTheCall() {
        web.script(80, new ScriptedPeer().expects("GET / HTTP/1.1\r\n").resets());
        assertThatThrownBy(() -> upgrade(offer())).isInstanceOf(Disconnected.class);
        assertThat(tunnel.isOpened()).isFalse();
    }

    @Test
    void requestsThatOfferNothingAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> upgrade(Request.get(URL)));
        Request withBody = Request.post(URL, Body.of("x")).withHeaders(UPGRADE);
        assertThatIllegalArgumentException().isThrownBy(() -> upgrade(withBody));
        Origin proxy = new Origin(false, "proxy.example.com", 80);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                web.client()
                                        .connectAsync(
                                                proxy,
                                                "/path",
                                                Headers.EMPTY,
                                                (there, _, _) -> tunnel.listen(there)));
    }
}
