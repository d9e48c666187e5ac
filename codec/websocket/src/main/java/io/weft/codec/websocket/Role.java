package io.weft.codec.websocket;

/// The ends of a WebSocket connection. The client masks what it sends, the server does not (RFC
/// 6455, 5.1).
public enum Role {
    CLIENT,
    SERVER
}
