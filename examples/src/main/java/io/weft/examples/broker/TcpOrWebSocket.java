package io.weft.examples.broker;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.Detection;
import io.weft.engine.ChannelOption;
import io.weft.handler.codec.DetectionHandler;
import io.weft.handler.tls.OptionalTlsHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.websocket.ServerHandshake;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;
import io.weft.tls.machine.TlsContext;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One port for a protocol over TCP and over WebSocket, in the clear and over TLS: the first byte
/// tells. No message of MQTT or STOMP begins with the G of `GET`.
final class TcpOrWebSocket implements ChannelInitializer {
    private final TlsContext tls;
    private final ChannelInitializer protocol;
    private final ChannelInitializer http;

    /// @param protocol adds the handlers of a connection over TCP
    /// @param settings of WebSocket, whose subprotocols are those that are spoken
    /// @param accepts tells if a handshake is one for this protocol
    /// @param listener makes that of a connection over WebSocket
    TcpOrWebSocket(
            TlsContext tls,
            ChannelInitializer protocol,
            WebSocketSettings settings,
            Predicate<Request> accepts,
            Supplier<WebSocketListener> listener) {
        this.tls = tls;
        this.protocol = protocol;
        http =
                HttpServer.builder()
                        .handler(
                                request ->
                                        !ServerHandshake.isOffered(request) || accepts.test(request)
                                                ? WebSocketUpgrade.answer(
                                                        request, settings, listener.get())
                                                : refused(settings))
                        .initializer();
    }

    private static Response refused(WebSocketSettings settings) {
        return Response.text("expected: a subprotocol of " + settings.subprotocols() + "\n")
                .withStatus(Status.BAD_REQUEST);
    }

    @Override
    public void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(
                        new OptionalTlsHandler(
                                () -> {
                                    channel.pipeline().addLast(detection());
                                    return TlsHandler.server(tls);
                                },
                                ctx -> ctx.pipeline().addLast(detection())));
    }

    private DetectionHandler<ChannelInitializer> detection() {
        return new DetectionHandler<>(
                bytes -> {
                    if (!bytes.isReadable()) {
                        return Detection.needsMore();
                    }
                    return Detection.found(
                            bytes.getByte(bytes.readOffset()) == 'G' ? http : protocol);
                },
                this::add);
    }

    private void add(ChannelHandlerContext ctx, ChannelInitializer found) {
        try {
            if (found == http) {
                ctx.channel().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            }
            found.initChannel(ctx.channel());
        } catch (Exception e) {
            throw new IllegalStateException("no protocol", e);
        }
    }
}
