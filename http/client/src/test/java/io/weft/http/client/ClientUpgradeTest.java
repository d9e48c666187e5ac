package io.weft.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
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

    /// Bytes that came over the channel of the protocol.
    private final StringBuilder heard = new StringBuilder();

    private @Nullable Channel channel;

    @AfterEach
    void end() {
        web.close();
    }

    /// Sends back what it hears.
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    private final class Listening implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                heard.append(bytes.readString(US_ASCII));
            }
        }
    }

    private void listen(Channel there) {
        channel = there;
        there.pipeline().addLast(new Listening());
    }

    private void say(String text) {
        Channel there = Objects.requireNonNull(channel);
        there.eventLoop()
                .execute(
                        () ->
                                there.writeAndFlush(
                                        BufferAllocator.pooled()
                                                .allocate(text.length())
                                                .writeBytes(text.getBytes(US_ASCII))));
    }

    private StreamedResponse upgrade(Request request) throws Exception {
        return web.await(web.client().upgradeAsync(request, (there, _, _) -> listen(there)));
    }

    private static Request offer() {
        return Request.get(URL).withHeaders(UPGRADE);
    }

    @Test
    void protocolGetsTheChannel() throws Exception {
        web.serve(
                80,
                request ->
                        Upgrade.to(
                                "echo",
                                Headers.of("x", "y"),
                                ch -> ch.pipeline().addLast(new Echo())));
        try (StreamedResponse response = upgrade(offer())) {
            assertThat(response.status()).isEqualTo(Status.SWITCHING_PROTOCOLS);
            assertThat(response.headers().first("x")).isEqualTo("y");
        }
        say("hello");
        web.runUntil(() -> heard.toString().equals("hello"));
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
        web.runUntil(() -> heard.length() > 0);
        assertThat(heard).hasToString("HTTP/1.1 200 is no response here\r\n");
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
        assertThat(channel).isNull();
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
                                : Upgrade.to(
                                        "echo",
                                        Headers.EMPTY,
                                        ch -> ch.pipeline().addLast(new Echo())));
        assertThat(upgrade(offer()).request().path()).isEqualTo("/echo");
        say("there");
        web.runUntil(() -> heard.toString().equals("there"));
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
                                ? Upgrade.connected(ch -> ch.pipeline().addLast(new Echo()))
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
                                        (there, _, _) -> listen(there)));
        assertThat(response.status()).isEqualTo(Status.OK);
        Request asked = web.requests.getFirst();
        assertThat(asked.target()).hasToString("db.example.com:5432");
        assertThat(asked.headers().first("host")).isEqualTo("db.example.com:5432");
        assertThat(asked.headers().first("proxy-authorization")).isEqualTo("Basic eDp5");
        say("select");
        web.runUntil(() -> heard.toString().equals("select"));
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
                                        (there, _, _) -> listen(there)));
        assertThat(response.status()).isEqualTo(Status.FORBIDDEN);
        Response whole = web.await(response.collect(100).toCompletableFuture());
        assertThat(whole.body().asString()).isEqualTo("not there");
        assertThat(channel).isNull();
    }

    @Test
    void connectionThatEndsBeforeTheResponseFailsTheCall() {
        web.script(80, new ScriptedPeer().expects("GET / HTTP/1.1\r\n").resets());
        assertThatThrownBy(() -> upgrade(offer())).isInstanceOf(Disconnected.class);
        assertThat(channel).isNull();
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
                                                (there, _, _) -> listen(there)));
    }
}
