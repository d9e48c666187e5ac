import org.jspecify.annotations.NullMarked;

/// Floor 3: WebSocket (RFC 6455) as pure machines: frames of both roles, and per-message
/// compression (RFC 7692).
///
/// Bytes become whole messages, or pieces of them, and messages bytes, whatever carries them: the
/// connection that HTTP/1.1 upgraded, or a stream of HTTP/2 (RFC 8441).
///
/// ```java
/// Decoder<WebSocketFrame> in =
///         new FrameDecoder(Role.SERVER, limits).then(new FrameJoiner(limits));
/// Encoder<WebSocketFrame> out = new FrameEncoder(Role.SERVER);
/// ```
@NullMarked
module io.weft.codec.websocket {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.websocket;
}
