package io.weft.http.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A listener that writes down what it hears.
class Heard implements WebSocketListener {
    final List<String> events = new ArrayList<>();
    private @Nullable WebSocket opened;

    WebSocket socket() {
        return Objects.requireNonNull(opened);
    }

    @Override
    public void onOpen(WebSocket socket) throws Exception {
        opened = socket;
        events.add("open");
    }

    @Override
    public void onText(WebSocket from, String text) throws Exception {
        events.add("text " + text);
    }

    @Override
    public void onBinary(WebSocket from, Buffer data) throws Exception {
        try (data) {
            events.add("binary " + data.readString(ISO_8859_1));
        }
    }

    @Override
    public void onPiece(WebSocket from, Data piece) {
        try (piece) {
            String kind = piece instanceof Continuation ? "more " : "begun ";
            String text = piece.payload().readString(ISO_8859_1);
            events.add(kind + text + (piece.fin() ? "." : ""));
        }
    }

    @Override
    public void onPing(WebSocket from, Buffer payload) {
        events.add("ping " + payload.readString(ISO_8859_1));
    }

    @Override
    public void onPong(WebSocket from, Buffer payload) {
        events.add("pong " + payload.readString(ISO_8859_1));
    }

    @Override
    public void onWritable(WebSocket from) throws Exception {
        events.add("writable");
    }

    @Override
    public void onClose(WebSocket from, CloseStatus status) {
        events.add("close " + status.code());
    }
}
