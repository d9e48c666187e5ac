package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.websocket.CloseStatus;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Served;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketUpgrade;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSocket through [ReverseProxy] between clients and servers of both versions of HTTP.
@Timeout(300)
class WebSocketVersionsTest {
    private static final WebSocketListener ECHO =
            new WebSocketListener() {
                @Override
                public void onText(WebSocket socket, String text) {
                    socket.sendText("echo of " + text);
                }
            };

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private static HttpServer echo() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .handler(request -> WebSocketUpgrade.answer(request, ECHO))
                .listen();
    }

    private static Served proxy(HttpServer to, String version) {
        return PlayedServer.proxy(
                "--to", "127.0.0.1:" + to.address().getPort(), "--upstream-http", version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void clientOfHttp1ReachesServersOfBothVersions(String upstream) throws Exception {
        try (HttpServer server = echo();
                Served proxy = proxy(server, upstream);
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            URI uri = URI.create("ws://127.0.0.1:" + proxy.address().getPort() + "/chat?a=b");
            WebSocket socket = WebSocketClient.of(group).connect(uri, new Hearing()).join();
            socket.sendText("hello");
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("echo of hello");
            socket.close();
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("1000");
        }
    }

    private final class Hearing implements WebSocketListener {
        @Override
        public void onText(WebSocket socket, String text) {
            heard.add(text);
        }

        @Override
        public void onClose(WebSocket socket, CloseStatus status) {
            heard.add("" + status.code());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void clientOfHttp2ReachesServersOfBothVersions(String upstream) throws Exception {
        try (HttpServer server = echo();
                Served proxy = proxy(server, upstream);
                HttpClient client =
                        HttpClient.builder()
                                .transport("nio")
                                .protocol(HttpProtocol.HTTP_2)
                                .build()) {
            Headers fields =
                    Headers.of("upgrade", "websocket")
                            .with("connection", "upgrade")
                            .with("sec-websocket-version", "13");
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/chat";
            StreamedResponse answer =
                    client.upgradeAsync(
                                    Request.get(url).withHeaders(fields),
                                    (channel, _, _) -> speak(channel))
                            .get(60, TimeUnit.SECONDS);
            assertThat(answer.status()).isSameAs(Status.OK);
            assertThat(answer.headers().contains("sec-websocket-accept")).isFalse();
            StringBuilder text = new StringBuilder();
            while (text.length() < 19) {
                text.append(heard.poll(60, TimeUnit.SECONDS));
            }
            assertThat(text).hasToString("\u0081\recho of hello\u0088\u0002\u0003\u00e8");
        }
    }

    /// A message and the end, in frames with a mask of zeros.
    private void speak(Channel channel) {
        channel.pipeline().addLast("frames", new Frames());
        String frames = "\u0081\u0085\0\0\0\0hello\u0088\u0082\0\0\0\0\u0003\u00e8";
        channel.writeAndFlush(
                channel.allocator()
                        .allocate(frames.length())
                        .writeBytes(frames.getBytes(ISO_8859_1)));
    }

    private final class Frames implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                heard.add(bytes.readString(ISO_8859_1));
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            ctx.close();
        }
    }

    /// Attack class: an extended CONNECT that the server behind gets as a GET.
    @ParameterizedTest
    @ValueSource(strings = {"connect-udp", "h2c", "websocketX"})
    void extendedConnectForAnotherProtocolIsRefused(String protocol) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport("nio")
                                .loops(1)
                                .handler(
                                        _ -> {
                                            asked.incrementAndGet();
                                            return Response.text("got it");
                                        })
                                .listen();
                Served proxy = proxy(server, "1.1");
                HttpClient client =
                        HttpClient.builder()
                                .transport("nio")
                                .protocol(HttpProtocol.HTTP_2)
                                .build()) {
            Headers fields = Headers.of("upgrade", protocol).with("connection", "upgrade");
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/";
            StreamedResponse answer =
                    client.upgradeAsync(
                                    Request.get(url).withHeaders(fields),
                                    (channel, _, _) -> channel.abort())
                            .get(60, TimeUnit.SECONDS);
            assertThat(answer.status().code()).isEqualTo(501);
            assertThat(asked).hasValue(0);
            answer.close();
        }
    }

    /// A server of HTTP/2 sees no key, so that nobody but the proxy could refuse this.
    @Test
    void handshakeWithoutAKeyIsRefused() throws Exception {
        try (HttpServer server = echo();
                Served proxy = proxy(server, "2");
                HttpClient client = HttpClient.builder().transport("nio").build()) {
            Headers fields =
                    Headers.of("upgrade", "websocket")
                            .with("connection", "upgrade")
                            .with("sec-websocket-key", "short")
                            .with("sec-websocket-version", "13");
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/chat";
            StreamedResponse answer =
                    client.upgradeAsync(
                                    Request.get(url).withHeaders(fields),
                                    (channel, _, _) -> channel.abort())
                            .get(60, TimeUnit.SECONDS);
            assertThat(answer.status()).isSameAs(Status.BAD_REQUEST);
            answer.close();
            var _ = client.shutdownGracefully(Duration.ofSeconds(1));
        }
    }
}
