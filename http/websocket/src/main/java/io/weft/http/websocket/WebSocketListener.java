package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.WebSocketFrame.Data;

/// Hears what happens on a WebSocket connection.
///
/// Thread: the connection's loop, which must not be blocked. What a method throws is logged and
/// ends the connection with 1011.
public interface WebSocketListener {
    /// The handshake is done. No other method is called before.
    default void onOpen(WebSocket socket) throws Exception {}

    /// A text has come, whole.
    default void onText(WebSocket socket, String text) throws Exception {}

    /// Bytes have come, a whole message.
    ///
    /// @param data the listener's, to be released; the default does so
    default void onBinary(WebSocket socket, Buffer data) throws Exception {
        data.release();
    }

    /// A piece of a message has come; only with [WebSocketSettings#pieces], and then in the place
    /// of whole messages. A piece may end within a character of a text.
    ///
    /// @param piece the listener's, to be closed; the default does so
    default void onPiece(WebSocket socket, Data piece) throws Exception {
        piece.close();
    }

    /// A ping has come, which is answered without the listener.
    ///
    /// @param payload stays the caller's
    default void onPing(WebSocket socket, Buffer payload) throws Exception {}

    /// A pong has come.
    ///
    /// @param payload stays the caller's
    default void onPong(WebSocket socket, Buffer payload) throws Exception {}

    /// The peer has taken enough of what was sent, so that [WebSocket#isWritable] is true again.
    default void onWritable(WebSocket socket) throws Exception {}

    /// The connection is over, or is about to be: nothing comes after this, and what is sent from
    /// now on fails. Called once.
    ///
    /// @param status the peer's; this end's where the peer broke the protocol, or did not answer a
    ///     close; [CloseStatus#ABNORMAL] where the connection ended without a close
    default void onClose(WebSocket socket, CloseStatus status) throws Exception {}
}
