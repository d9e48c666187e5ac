import org.jspecify.annotations.NullMarked;

/// Floor 4: WebSocket (RFC 6455) over HTTP/1.1: handshakes of both roles, and connections with a
/// listener on their loop or in blocking style.
///
/// A server answers a request with the protocol:
///
/// ```java
/// HttpServer.listen(8080, request -> WebSocketUpgrade.answer(request, new Echo()));
/// ```
///
/// A client connects to a URI:
///
/// ```java
/// WebSocket socket = WebSocketClient.of(group).connect(uri, listener).join();
/// socket.sendText("hello");
/// ```
@NullMarked
module io.weft.http.websocket {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires io.weft.codec;
    requires transitive io.weft.codec.websocket;
    requires io.weft.http.http1;
    requires transitive io.weft.http.model;
    requires transitive io.weft.http.server;

    exports io.weft.http.websocket;
}
