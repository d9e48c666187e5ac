package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;

/// Sends back each message of a WebSocket connection, on any path, compressed where the client
/// does.
public final class WsEcho {
    private WsEcho() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8081, args, WsEcho::start);
    }

    static Example.Running start(Options options) {
        WebSocketSettings settings = WebSocketSettings.DEFAULT.compressed();
        WebSocketListener echo = new Echo();
        return Example.http(
                options, server -> server.handler(r -> WebSocketUpgrade.answer(r, settings, echo)));
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
}
