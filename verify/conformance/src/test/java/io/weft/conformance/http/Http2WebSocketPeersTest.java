package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.CloseStatus;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Headers;
import io.weft.http.model.RequestTarget;
import io.weft.http.websocket.ClientHandshake;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketSettings;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Our WebSocket client on a stream of HTTP/2 (RFC 8441), and the server of Node.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
class Http2WebSocketPeersTest {
    private static final String NODE =
            """
            const http2 = require('http2');
            const server = http2.createServer({settings: {enableConnectProtocol: true}});
            server.on('stream', (stream, headers) => {
              if (headers[':method'] !== 'CONNECT' || headers[':protocol'] !== 'websocket'
                  || headers['sec-websocket-version'] !== '13' || headers['sec-websocket-key']
                  || headers['upgrade'] || headers[':scheme'] !== 'http' || headers[':path'] !== '/chat?a=b') {
                stream.respond({':status': 400}, {endStream: true});
                return;
              }
              stream.respond({':status': 200, 'sec-websocket-protocol': 'echo'});
              let all = Buffer.alloc(0);
              stream.on('data', data => {
                all = Buffer.concat([all, data]);
                for (;;) {
                  if (all.length < 6) return;
                  let length = all[1] & 0x7f, at = 2;
                  if (length === 126) { length = all.readUInt16BE(2); at = 4; }
                  if (all.length < at + 4 + length) return;
                  const mask = all.subarray(at, at + 4), payload = Buffer.from(all.subarray(at + 4, at + 4 + length));
                  for (let i = 0; i < length; i++) payload[i] ^= mask[i & 3];
                  const head = Buffer.from(all.subarray(0, at));
                  head[1] &= 0x7f;
                  stream.write(Buffer.concat([head, payload]));
                  if ((head[0] & 15) === 8) stream.end();
                  all = all.subarray(at + 4 + length);
                }
              });
            });
            server.listen(0, '127.0.0.1', () => console.log(server.address().port));
            """;

    @TempDir Path directory;

    @Test
    void nodeEchoesOverOneStream() throws Exception {
        Path program = Files.writeString(directory.resolve("server.js"), NODE);
        Process node =
                new ProcessBuilder("node", program.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader said = node.inputReader(UTF_8);
                HttpClient client =
                        HttpClient.builder().protocol(HttpProtocol.HTTP_2).loops(1).build()) {
            String port =
                    CompletableFuture.supplyAsync(() -> said.lines().findFirst().orElse(""))
                            .get(60, TimeUnit.SECONDS);
            assertEchoes(client, "127.0.0.1:" + port);
            assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        } finally {
            node.destroyForcibly().waitFor();
        }
    }

    private static void assertEchoes(HttpClient client, String host) throws Exception {
        ClientHandshake handshake =
                ClientHandshake.of(
                        RequestTarget.of("http://" + host + "/chat?a=b"),
                        host,
                        Headers.of("origin", "http://" + host),
                        WebSocketSettings.DEFAULT.subprotocols("echo"));
        OpenedWebSocket opened = OpenedWebSocket.open(client, handshake);
        assertThat(opened.status().code()).isEqualTo(200);
        WebSocket socket = opened.socket();
        assertThat(socket.subprotocol()).isEqualTo("echo");
        CompletableFuture<Void> ended = new CompletableFuture<>();
        socket.channel()
                .closeFuture()
                .toCompletionStage()
                .whenComplete((_, _) -> ended.complete(null));
        for (int i = 0; i < 100; i++) {
            String text = "text " + i + "x".repeat(i * 100);
            socket.sendText(text);
            assertThat(opened.next()).isEqualTo(text);
        }
        assertThat(opened.close()).isEqualTo(CloseStatus.NORMAL);
        ended.get(60, TimeUnit.SECONDS);
    }
}
