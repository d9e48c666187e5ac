package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.Programs;
import io.weft.conformance.tls.TlsRig;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.BlockingWebSocket;
import io.weft.http.websocket.BlockingWebSocket.Binary;
import io.weft.http.websocket.BlockingWebSocket.Text;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;
import io.weft.tls.machine.TlsContext;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// WebSockets and the websockets package of Python, as client, with TLS and without, and as server.
@Tag("peers")
@Timeout(300)
class WebSocketPeersTest {
    private static final WebSocketSettings SETTINGS = WebSocketSettings.DEFAULT.compressed();

    @TempDir Path directory;
    private final Programs programs = new Programs(() -> this.directory);

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void end() throws Exception {
        programs.end();
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

    @ParameterizedTest
    @ValueSource(strings = {"ws", "wss"})
    void aClientOfPythonIsServed(String scheme) throws Exception {
        programs.write(
                "client.py",
                """
                import asyncio, ssl, sys, websockets
                tls = ssl.create_default_context()
                tls.check_hostname = False
                tls.verify_mode = ssl.CERT_NONE
                async def main():
                    uri = sys.argv[1]
                    more = {'ssl': tls} if uri.startswith('wss') else {}
                    async with websockets.connect(uri, max_size=None, open_timeout=60, **more) as s:
                        for data in ('', 'hello', '\\u20ac' * 9000, b'', bytes(range(256)) * 200):
                            await s.send(data)
                            assert await s.recv() == data
                        await s.send(['a', 'b', 'c'])
                        assert await s.recv() == 'abc'
                        await (await s.ping())
                        extensions = [e.name for e in s.protocol.extensions]
                    print(s.close_code, extensions)
                asyncio.run(asyncio.wait_for(main(), 120))
                """);
        HttpServer.Builder builder =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport("nio")
                        .loops(1)
                        .handler(request -> WebSocketUpgrade.answer(request, SETTINGS, new Echo()));
        if (scheme.equals("wss")) {
            builder.tls(TlsContext.server(TlsRig.SERVER).applicationProtocols("http/1.1").build());
        }
        try (HttpServer server = builder.listen()) {
            String uri = scheme + "://127.0.0.1:" + server.address().getPort() + "/";
            Process client = programs.start("python3", "client.py", uri);
            assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                    .isEqualToIgnoringNewLines("1000 ['permessage-deflate']");
        }
    }

    @Test
    void aServerOfPythonIsTalkedTo() throws Exception {
        programs.write(
                "server.py",
                """
                import asyncio, websockets
                async def echo(s):
                    async for data in s:
                        await s.send(data)
                async def main():
                    async with websockets.serve(echo, '127.0.0.1', 0) as server:
                        print(server.sockets[0].getsockname()[1], flush=True)
                        await asyncio.sleep(300)
                asyncio.run(main())
                """);
        URI uri = URI.create("ws://127.0.0.1:" + programs.serve("python3", "server.py") + "/");
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1);
                BlockingWebSocket socket =
                        BlockingWebSocket.connect(
                                WebSocketClient.of(group).settings(SETTINGS), uri)) {
            assertThat(socket.socket().agreement().deflate()).isNotNull();
            for (String text : new String[] {"", "hello", "\u20AC".repeat(9000)}) {
                socket.send(text);
                assertThat(socket.receive()).isEqualTo(new Text(text));
            }
            socket.send(new byte[50_000]);
            assertThat(((Binary) socket.receive()).data()).hasSize(50_000);
        }
    }
}
