package io.weft.http.websocket;

import io.weft.channel.ChannelInitializer;

/// A stream of bytes over WebSocket: handlers of another protocol run behind the connection as they
/// do on a socket.
///
/// ```java
/// WebSocketSettings settings = WebSocketSettings.DEFAULT.subprotocols("mqtt").pieces(true);
/// WebSocketUpgrade.answer(request, settings, WebSocketStream.binary(this::addHandlers));
/// ```
///
/// Handlers read the payload of messages as [io.weft.buffer.Buffer]s, in pieces as they arrive:
/// where a message ends means nothing to them. Each buffer that they write is a message. The
/// peer's close is the end of the input; closing the channel closes the WebSocket with 1001.
///
/// With [WebSocketSettings#pieces] messages may be of any length; without, they are subject to the
/// limits of whole ones.
public final class WebSocketStream {
    private WebSocketStream() {}

    /// Returns the listener of one connection that carries bytes. A text closes it with 1003, as
    /// MQTT asks for.
    ///
    /// @param handlers adds the protocol's handlers, on the connection's loop
    public static WebSocketListener binary(ChannelInitializer handlers) {
        return new StreamHandler(handlers, false);
    }

    /// Returns the listener of one connection that carries text, as STOMP does. Messages of bytes
    /// are taken, too; a buffer that is not UTF-8 is sent as one.
    ///
    /// @param handlers as of [#binary]
    public static WebSocketListener text(ChannelInitializer handlers) {
        return new StreamHandler(handlers, true);
    }
}
