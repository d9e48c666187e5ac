package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;
import java.net.InetSocketAddress;

/// Sends back each message of a WebSocket connection, on any path, compressed where the client
/// does.
public final class WsEcho {
    private WsEcho() {}

    public static void main(String[] args) {
        Example.main(8081, args, WsEcho::start);
    }

    static Example.Running start(Options options) {
        WebSocketSettings settings = WebSocketSettings.DEFAULT.compressed();
        WebSocketListener echo = new Echo();
        HttpServer server =
                HttpServer.builder()
                        .host(options.host())
                        .port(options.port())
                        .transport(options.transport())
                        .loops(options.loops())
                        .handler(request -> WebSocketUpgrade.answer(request, settings, echo))
                        .listen();
        return new Running(server);
    }

    /// Has no state, so that one serves all connections.
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

    private record Running(HttpServer server) implements Example.Running {
        @Override
        public InetSocketAddress address() {
            return server.address();
        }

        @Override
        public String transport() {
            return server.transport();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
