package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.buffer.Buffer;
import io.weft.codec.websocket.CloseStatus;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.BlockingWebSocket;
import io.weft.http.websocket.BlockingWebSocket.Binary;
import io.weft.http.websocket.BlockingWebSocket.Text;
import io.weft.http.websocket.ClientHandshake;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketHandshakeException;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Both ends over a network.
class WebSocketTest {
    private static final WebSocketSettings SETTINGS =
            WebSocketSettings.DEFAULT.compressed().subprotocols("echo").origins("http://good");

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final HttpServer server =
            HttpServer.builder()
                    .host(InetAddress.getLoopbackAddress())
                    .transport("nio")
                    .loops(1)
                    .handler(WebSocketTest::answer)
                    .listen();

    /// Sends back what it hears.
    static final class WebSocketEcho implements WebSocketListener {
        @Override
        public void onText(WebSocket socket, String text) {
            socket.sendText(text);
        }

        @Override
        public void onBinary(WebSocket socket, Buffer data) {
            socket.sendBinary(data);
        }
    }

    /// Ends their loops before open buffers are counted.
    @AfterEach
    void stop() {
        server.close();
        group.close();
    }

    private static Response answer(Request request) {
        return switch (request.path()) {
            case "/echo" -> WebSocketUpgrade.answer(request, SETTINGS, new WebSocketEcho());
            case "/blocking" -> BlockingWebSocket.answer(request, SETTINGS, WebSocketTest::shout);
            default -> Response.text("a page");
        };
    }

    private static void shout(BlockingWebSocket socket) throws Exception {
        while (socket.receive() instanceof Text(String text)) {
            socket.send(text + "!");
        }
    }

    private URI uri(String path) {
        return URI.create("ws://localhost:" + server.address().getPort() + path);
    }

    private WebSocketClient client() {
        return WebSocketClient.of(group)
                .settings(SETTINGS)
                .headers(Headers.of("origin", "http://good"));
    }

    @Test
    void messagesComeBack() throws Exception {
        try (var socket = BlockingWebSocket.connect(client(), uri("/echo"))) {
            assertThat(socket.socket().subprotocol()).isEqualTo("echo");
            assertThat(socket.socket().agreement().deflate()).isNotNull();
            String large = "large \u20AC ".repeat(20_000);
            socket.send("small");
            socket.send(large);
            socket.send(new byte[100_000]);
            assertThat(socket.receive()).isEqualTo(new Text("small"));
            assertThat(socket.receive()).isEqualTo(new Text(large));
            assertThat(((Binary) socket.receive()).data()).hasSize(100_000);
        }
    }

    /// The handshake is a request of the HTTP client, over HTTP/1.1 though both sides speak HTTP/2,
    /// or over HTTP/2 where the client insists on it.
    @ParameterizedTest
    @EnumSource(
            value = HttpProtocol.class,
            names = {"NEGOTIATED", "HTTP_2"})
    void httpClientMakesTheHandshake(HttpProtocol protocol) throws Exception {
        boolean http2 = protocol == HttpProtocol.HTTP_2;
        String[] agreed = http2 ? new String[] {"h2"} : new String[] {"h2", "http/1.1"};
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        try (HttpServer secure =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport("nio")
                                .loops(1)
                                .tls(
                                        TlsContext.server(identity)
                                                .applicationProtocols("h2", "http/1.1")
                                                .build())
                                .handler(WebSocketTest::answer)
                                .listen();
                var client =
                        io.weft.http.client.HttpClient.builder()
                                .group(group)
                                .protocol(protocol)
                                .tls(
                                        TlsContext.client()
                                                .trust(identity.certificate())
                                                .applicationProtocols(agreed)
                                                .build())
                                .build()) {
            for (String origin :
                    List.of(
                            "http://localhost:" + server.address().getPort(),
                            "https://localhost:" + secure.address().getPort())) {
                assertThat(client.get(origin + "/page").body().asString()).isEqualTo("a page");
                assertEchoes(client, origin, http2);
            }
        }
    }

    private static void assertEchoes(
            io.weft.http.client.HttpClient client, String origin, boolean http2) throws Exception {
        ClientHandshake handshake =
                ClientHandshake.of(
                        RequestTarget.of(origin + "/echo"),
                        origin.substring(origin.indexOf("//") + 2),
                        Headers.of("origin", "http://good"),
                        SETTINGS);
        OpenedWebSocket opened = OpenedWebSocket.open(client, handshake);
        // RFC 8441, 5: over HTTP/2 the handshake is a CONNECT, and its success 2xx.
        assertThat(opened.status()).isEqualTo(http2 ? Status.OK : Status.SWITCHING_PROTOCOLS);
        opened.socket().sendText("over " + origin);
        assertThat(opened.next()).isEqualTo("over " + origin);
        assertThat(opened.socket().agreement().deflate()).isNotNull();
        assertThat(opened.close()).isEqualTo(CloseStatus.NORMAL);
    }

    @Test
    void messagesBeyondTheInboxWaitForTheirReceiver() throws Exception {
        try (var socket = BlockingWebSocket.connect(client(), uri("/echo"))) {
            Thread sender =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            for (int i = 0; i < 3000; i++) {
                                                socket.send(i + " ".repeat(100));
                                            }
                                        } catch (Exception e) {
                                            throw new IllegalStateException(e);
                                        }
                                    });
            for (int i = 0; i < 3000; i++) {
                assertThat(((Text) socket.receive()).text()).startsWith(i + " ");
            }
            sender.join();
        }
    }

    @Test
    void handlerOnAVirtualThreadAnswers() throws Exception {
        try (var socket = BlockingWebSocket.connect(client(), uri("/blocking"))) {
            socket.send("hello");
            assertThat(socket.receive()).isEqualTo(new Text("hello!"));
            socket.send(new byte[1]);
            assertThat(socket.receive()).isNull();
            assertThat(socket.closeStatus()).isEqualTo(CloseStatus.NORMAL);
        }
    }

    @Test
    void closeIsAnswered() throws Exception {
        var socket = BlockingWebSocket.connect(client(), uri("/echo"));
        socket.close(CloseStatus.GOING_AWAY);
        assertThat(socket.receive()).isNull();
        assertThat(socket.closeStatus()).isEqualTo(CloseStatus.GOING_AWAY);
    }

    @Test
    void refusalHasItsStatus() {
        assertThatExceptionOfType(WebSocketHandshakeException.class)
                .isThrownBy(
                        () ->
                                BlockingWebSocket.connect(
                                        client().headers(Headers.EMPTY), uri("/echo")))
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(403));
        assertThatExceptionOfType(WebSocketHandshakeException.class)
                .isThrownBy(() -> BlockingWebSocket.connect(client(), uri("/page")))
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(200));
    }

    @Test
    void uriOfAnotherSchemeIsRefused() {
        for (String uri : new String[] {"http://a/", "wss://a/", "ws:a", "ws://a/#b"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client().connect(URI.create(uri), new WebSocketEcho()));
        }
    }

    @Test
    void clientOfTheJdkIsAnswered() {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (HttpClient http = HttpClient.newHttpClient()) {
            var socket =
                    http.newWebSocketBuilder()
                            .header("Origin", "http://good")
                            .subprotocols("other", "echo")
                            .buildAsync(
                                    uri("/echo"),
                                    new java.net.http.WebSocket.Listener() {
                                        @Override
                                        public CompletionStage<?> onText(
                                                java.net.http.WebSocket from,
                                                CharSequence data,
                                                boolean last) {
                                            heard.complete(data.toString());
                                            from.request(1);
                                            return null;
                                        }
                                    })
                            .join();
            assertThat(socket.getSubprotocol()).isEqualTo("echo");
            socket.sendText("hel", false).join();
            socket.sendText("lo", true).join();
            assertThat(heard.join()).isEqualTo("hello");
            socket.sendClose(1000, "").join();
        }
    }
}
