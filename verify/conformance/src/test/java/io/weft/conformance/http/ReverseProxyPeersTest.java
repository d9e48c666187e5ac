package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.conformance.http.AmbiguousRequests.Message;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.Programs;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketUpgrade;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The server behind nginx and HAProxy, which mark each request that they pass on.
@Tag("peers")
@Timeout(300)
@ParameterizedClass
@EnumSource
class ReverseProxyPeersTest {
    enum Front {
        NGINX,
        HAPROXY
    }

    private static final String MARK = "x-front";
    private static final int LARGE = 8 << 20;

    private final Front front;
    @TempDir Path directory;
    private final Programs programs = new Programs(() -> this.directory);
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final Queue<String> unmarked = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private SocketAddress address;

    ReverseProxyPeersTest(Front front) {
        this.front = front;
    }

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        server =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport("nio")
                        .loops(1)
                        .streaming(this::answer)
                        .listen();
        int port = server.address().getPort();
        HttpOrigins origins = new HttpOrigins(programs, 20);
        address =
                switch (front) {
                    case NGINX ->
                            origins.nginx(
                                    "upstream weft { server 127.0.0.1:%d; keepalive 4; }"
                                            .formatted(port),
                                    """
                                    location / {
                                      proxy_pass http://weft; proxy_http_version 1.1; proxy_request_buffering off;
                                      proxy_set_header Host $host;
                                      proxy_set_header Upgrade $http_upgrade;
                                      proxy_set_header Connection $connection_upgrade;
                                      proxy_set_header X-Front nginx;
                                    }
                                    """);
                    case HAPROXY ->
                            origins.haproxy(
                                    "http-request set-header X-Front haproxy\n"
                                            + "  server weft 127.0.0.1:"
                                            + port);
                };
    }

    @AfterEach
    void end() throws Exception {
        programs.end();
        if (server != null) {
            server.close();
        }
    }

    private static final class Echo implements WebSocketListener {
        @Override
        public void onText(WebSocket socket, String text) {
            socket.sendText(text);
        }

        @Override
        public void onBinary(WebSocket socket, Buffer data) {
            socket.sendBinary(data);
        }
    }

    private CompletionStage<Response> answer(Request request) {
        seen.add(request.method() + " " + request.target());
        if (request.headers().first(MARK) == null) {
            unmarked.add(request.toString());
        }
        return switch (request.path()) {
            // Whole before the answer begins: nginx sends no more of a body then.
            case "/echo" ->
                    request.body()
                            .collect(2 * LARGE)
                            .thenApply(bytes -> Body.of(bytes.asInputStream()))
                            .thenApply(Response.of(Status.OK)::withBody);
            case "/ws" ->
                    CompletableFuture.completedFuture(WebSocketUpgrade.answer(request, new Echo()));
            default -> request.body().collect(1 << 20).thenApply(_ -> Response.text("hello"));
        };
    }

    private String curl(String path, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "curl",
                                "-sS",
                                "--max-time",
                                "60",
                                "--unix-socket",
                                ((UnixDomainSocketAddress) address).getPath().toString()));
        command.addAll(Arrays.asList(arguments));
        command.add("http://a" + path);
        Process curl = programs.start(command.toArray(String[]::new));
        byte[] out = curl.getInputStream().readAllBytes();
        assertThat(curl.waitFor()).isZero();
        return new String(out, ISO_8859_1);
    }

    private Path large() throws Exception {
        byte[] bytes = new byte[LARGE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i ^ i >>> 8);
        }
        return Files.write(directory.resolve("large"), bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "Transfer-Encoding: chunked", "Expect: 100-continue"})
    void largeBodiesComeBack(String header) throws Exception {
        Path large = large();
        String[] upload = {"--data-binary", "@" + large, "-H", header};
        String back =
                header.contains(":") ? curl("/echo", upload) : curl("/echo", "-T", "" + large);
        assertThat(back.equals(Files.readString(large, ISO_8859_1))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
    void requestsOnOneConnectionAreAnsweredInOrder(String version) throws Exception {
        String head = " " + version + "\r\nHost: a\r\nConnection: keep-alive\r\n";
        String get = "GET /" + head + "\r\n";
        String post = "POST /" + head + "Content-Length: 5\r\n\r\nworld";
        String last = "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        String answer = RawHttp.exchange(address, get + post + get + last, 60);
        assertThat(answer.split("HTTP/1.1 200 OK", -1)).hasSize(5);
        assertThat(seen).containsExactly("GET /", "POST /", "GET /", "HEAD /");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 60_000})
    void webSocketsPassThrough(int length) throws Exception {
        programs.write(
                "client.py",
                """
                import asyncio, sys, websockets
                async def main():
                    length = int(sys.argv[2])
                    async with websockets.unix_connect(sys.argv[1], 'ws://a/ws', max_size=None, open_timeout=60) as s:
                        for data in ('x' * length, b'y' * length):
                            await s.send(data)
                            assert await s.recv() == data
                        await (await s.ping())
                    print('closed', s.close_code)
                asyncio.run(asyncio.wait_for(main(), 120))
                """);
        String socket = ((UnixDomainSocketAddress) address).getPath().toString();
        Process client = programs.start("python3", "client.py", socket, "" + length);
        assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                .isEqualToIgnoringNewLines("closed 1000");
    }

    @Test
    void noRequestIsSmuggledThrough() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Message message : AmbiguousRequests.all()) {
                var _ = executor.submit(() -> RawHttp.exchange(address, message.bytes(), 10));
            }
            executor.shutdown();
            assertThat(executor.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        }
        // The front is well, and so is each connection that it keeps.
        for (int i = 0; i < 8; i++) {
            assertThat(curl("/")).isEqualTo("hello");
        }
        assertThat(seen).isNotEmpty();
        assertThat(unmarked).isEmpty();
    }
}
