package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.client.HttpClientException.UpgradeFailed;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Upgrade;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Streams of HTTP/2 that carry another protocol, between the client and our own server.
class StreamTunnelTest {
    private static final String URL = "http://example.com/chat";
    private static final Headers UPGRADE =
            Headers.of("connection", "upgrade").with("upgrade", "echo").with("x", "y");

    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));
    private final EchoTunnel tunnel = new EchoTunnel();

    @AfterEach
    void end() {
        web.close();
    }

    private void serve() {
        web.serve(
                80,
                request ->
                        request.headers().containsToken(HeaderName.UPGRADE, "echo")
                                        || request.method() == Method.CONNECT
                                ? Upgrade.to("echo", Headers.of("a", "b"), EchoTunnel::echo)
                                : Response.text("a page"));
    }

    private StreamedResponse open() throws Exception {
        return web.await(
                web.client()
                        .upgradeAsync(
                                Request.get(URL).withHeaders(UPGRADE),
                                (there, _, _) -> tunnel.listen(there)));
    }

    @Test
    void upgradeGetsAStreamBesideOtherRequests() throws Exception {
        serve();
        try (StreamedResponse response = open()) {
            assertThat(response.status()).isSameAs(Status.OK);
            assertThat(response.headers().first("a")).isEqualTo("b");
        }
        Request seen = web.requests.getFirst();
        assertThat(seen.method()).isSameAs(Method.GET); // as the server shows it
        assertThat(seen.headers().all("upgrade")).containsExactly("echo");
        assertThat(seen.headers().first("x")).isEqualTo("y");
        tunnel.say("hello");
        web.runUntil(() -> tunnel.heard.toString().equals("hello"));
        assertThat(web.get(URL).body().asString()).isEqualTo("a page");
        assertThat(web.connections).isEqualTo(1);

        tunnel.channel().eventLoop().execute(() -> tunnel.channel().close());
        web.runUntil(() -> tunnel.ended);
        assertThat(web.get(URL).body().asString()).isEqualTo("a page");
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void otherRequestsPassATunnelThatWaitsForTheServersSettings() {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        web.handle(80, () -> silent(heard));
        var tunnelled =
                web.client()
                        .upgradeAsync(
                                Request.get(URL).withHeaders(UPGRADE),
                                (there, _, _) -> tunnel.listen(there));
        var plain = web.client().sendAsync(Request.get(URL));
        web.runUntil(() -> requests(heard.toByteArray()) == 1);
        assertThat(tunnelled).isNotDone();
        assertThat(plain).isNotDone();
    }

    /// A server that never says a word.
    private static ChannelHandler silent(ByteArrayOutputStream heard) {
        return new ChannelHandler() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                try (Buffer in = (Buffer) message) {
                    byte[] bytes = new byte[in.readableBytes()];
                    in.readBytes(bytes);
                    heard.writeBytes(bytes);
                }
            }
        };
    }

    /// Counts the frames of HEADERS behind a client's preface.
    private static int requests(byte[] heard) {
        int headers = 0;
        int at = 24;
        while (at + 9 <= heard.length) {
            headers += heard[at + 3] == 1 ? 1 : 0;
            at += 9 + (ByteBuffer.wrap(heard).getInt(at) >>> 8);
        }
        return headers;
    }

    @Test
    void connectGetsAStream() throws Exception {
        serve();
        StreamedResponse response =
                web.await(
                        web.client()
                                .connectAsync(
                                        Origin.of(Request.get(URL).target()),
                                        "other:99",
                                        Headers.EMPTY,
                                        (there, _, _) -> tunnel.listen(there)));
        assertThat(response.status()).isSameAs(Status.OK);
        assertThat(web.requests.getFirst().target()).hasToString("other:99");
        tunnel.say("hello");
        web.runUntil(() -> tunnel.heard.toString().equals("hello"));
    }

    @Test
    void muchGoesBothWaysWithinTheWindows() throws Exception {
        serve();
        open().close();
        for (int i = 0; i < 60; i++) {
            tunnel.say("0123456789abcdef".repeat(1000));
        }
        web.runUntil(() -> tunnel.bytes == 960_000);
    }

    @Test
    void serverThatDoesNotAgreeIsHeard() throws Exception {
        web.serve(80, _ -> Response.text("no").withStatus(Status.FORBIDDEN));
        try (StreamedResponse response = open()) {
            assertThat(response.status()).isSameAs(Status.FORBIDDEN);
            assertThat(web.await(response.collect(10).toCompletableFuture()).body().asString())
                    .isEqualTo("no");
        }
        assertThat(tunnel.isOpened()).isFalse();
        assertThat(web.get(URL).status()).isSameAs(Status.FORBIDDEN);
        assertThat(web.connections).isEqualTo(1);
    }

    /// Says by its settings that it takes no extended CONNECT.
    private static final class Plain implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            Buffer settings = BufferAllocator.pooled().allocate(9);
            ctx.writeAndFlush(settings.writeMedium(0).writeByte(4).writeByte(0).writeInt(0));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
        }
    }

    @Test
    void serverThatTakesNoTunnelsIsNotAsked() {
        web.handle(80, Plain::new);
        assertThatThrownBy(this::open)
                .isInstanceOf(Unsendable.class)
                .hasMessageContaining("SETTINGS_ENABLE_CONNECT_PROTOCOL");
    }

    @Test
    void protocolThatRefusesEndsItsStreamAlone() throws Exception {
        serve();
        assertThatThrownBy(
                        () ->
                                web.await(
                                        web.client()
                                                .upgradeAsync(
                                                        Request.get(URL).withHeaders(UPGRADE),
                                                        (_, _, _) -> {
                                                            throw new IllegalStateException("no");
                                                        })))
                .isInstanceOf(UpgradeFailed.class);
        assertThat(web.get(URL).body().asString()).isEqualTo("a page");
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void connectionThatBreaksEndsTheChannel() throws Exception {
        web.serve(
                80,
                HttpServer.builder()
                        .handler(
                                _ ->
                                        Upgrade.to(
                                                "echo",
                                                Headers.EMPTY,
                                                ch -> ch.pipeline().addLast(new Closing()))));
        open().close();
        tunnel.say("x");
        web.runUntil(() -> tunnel.ended);
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    private static final class Closing implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
            ctx.channel().abort();
        }
    }
}
