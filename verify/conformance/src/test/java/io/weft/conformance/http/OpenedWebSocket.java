package io.weft.conformance.http;

import io.weft.codec.websocket.CloseStatus;
import io.weft.http.client.HttpClient;
import io.weft.http.model.Status;
import io.weft.http.websocket.ClientHandshake;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A WebSocket by a request of the HTTP client.
///
/// @param status of the response
record OpenedWebSocket(Status status, WebSocket socket, Heard heard) {
    /// Messages that came on it.
    static final class Heard implements WebSocketListener {
        private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
        private final CompletableFuture<CloseStatus> closed = new CompletableFuture<>();

        @Override
        public void onText(WebSocket socket, String text) {
            texts.add(text);
        }

        @Override
        public void onClose(WebSocket socket, CloseStatus status) {
            closed.complete(status);
        }
    }

    static OpenedWebSocket open(HttpClient client, ClientHandshake handshake) throws Exception {
        Heard heard = new Heard();
        CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        var response =
                client.upgradeAsync(
                                handshake.request(),
                                (channel, status, headers) ->
                                        opened.complete(
                                                handshake.open(channel, status, headers, heard)))
                        .get(60, TimeUnit.SECONDS);
        return new OpenedWebSocket(response.status(), opened.get(60, TimeUnit.SECONDS), heard);
    }

    /// Waits for the next text; null when none comes.
    @Nullable String next() throws InterruptedException {
        return heard.texts.poll(60, TimeUnit.SECONDS);
    }

    /// Closes this side, and waits for the status of the other.
    CloseStatus close() throws Exception {
        socket.close();
        return heard.closed.get(60, TimeUnit.SECONDS);
    }
}
