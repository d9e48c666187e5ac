package io.weft.http.websocket;

import io.weft.channel.Channel;
import io.weft.codec.websocket.Role;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.Upgrade;
import io.weft.http.websocket.ServerHandshake.Accepted;
import io.weft.http.websocket.ServerHandshake.Refused;
import java.io.IOException;

/// WebSocket as an answer of an HTTP server.
///
/// ```java
/// HttpServer.listen(8080, request ->
///         ServerHandshake.isOffered(request)
///                 ? WebSocketUpgrade.answer(request, new Chat())
///                 : Response.text("a page"));
/// ```
public final class WebSocketUpgrade {
    /// However long messages may be, no more than this waits for a peer unless the channel's own
    /// watermarks say so.
    private static final int MAX_CAP = 64 << 20;

    private WebSocketUpgrade() {}

    /// Answers with the default settings.
    public static Response answer(Request request, WebSocketListener listener) {
        return answer(request, WebSocketSettings.DEFAULT, listener);
    }

    /// Answers `request` with the handshake, after which `listener` hears the connection; or with
    /// the refusal of [ServerHandshake].
    ///
    /// @param listener of this connection, or of many
    public static Response answer(
            Request request, WebSocketSettings settings, WebSocketListener listener) {
        return switch (ServerHandshake.of(request, settings)) {
            case Refused refused -> refused.response();
            case Accepted accepted ->
                    Upgrade.to(
                            "websocket",
                            accepted.headers(),
                            channel ->
                                    open(
                                            channel,
                                            new WebSocketHandler(
                                                    Role.SERVER,
                                                    settings,
                                                    accepted.agreement(),
                                                    listener),
                                            settings));
        };
    }

    /// Adds `handler` to a channel whose handshake is over.
    static void open(Channel channel, WebSocketHandler handler, WebSocketSettings settings)
            throws IOException {
        WriteBufferWaterMark mark = channel.options().get(ChannelOption.WRITE_BUFFER_WATER_MARK);
        long wanted = Math.min(MAX_CAP, 2 * Math.min(MAX_CAP, settings.limits().messageBytes()));
        if (wanted > mark.cap()) {
            channel.setOption(
                    ChannelOption.WRITE_BUFFER_WATER_MARK,
                    new WriteBufferWaterMark(mark.low(), mark.high(), (int) wanted));
        }
        if (!channel.options().get(ChannelOption.ALLOW_HALF_CLOSURE)) {
            channel.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        }
        channel.pipeline().addLast(handler);
        handler.open();
    }
}
