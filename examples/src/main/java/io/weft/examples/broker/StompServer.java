package io.weft.examples.broker;

import io.weft.channel.Channel;
import io.weft.codec.stomp.StompDecoder;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompLimits;
import io.weft.codec.stomp.StompMessage;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketStream;

/// A server of STOMP 1.0, 1.1 and 1.2 in memory. A message to a destination that begins with
/// `/queue/` goes to one subscriber, and waits until there is one; others are topics, whose
/// messages go to all who have subscribed. It knows receipts, transactions, heart-beats and all
/// modes of acknowledgement: what a subscriber of a queue has not acknowledged when it leaves, or
/// refuses, another one gets. One port serves TCP and WebSocket, in the clear and over TLS.
public final class StompServer {
    private static final StompLimits LIMITS =
            new StompLimits(8_192, 128, 65_536, 1_048_576, 1_048_576);
    static final WebSocketSettings WEB_SOCKET =
            WebSocketSettings.DEFAULT
                    .subprotocols("v12.stomp", "v11.stomp", "v10.stomp")
                    .pieces(true);

    private final StompDestinations destinations = new StompDestinations();

    private StompServer() {}

    public static void main(String[] args) {
        Example.main(61613, args, StompServer::start);
    }

    static Example.Running start(Options options) {
        StompServer server = new StompServer();
        return Example.tcp(
                        options.withoutTls(),
                        new TcpOrWebSocket(
                                Example.tls(options),
                                server::serve,
                                WEB_SOCKET,
                                _ -> true,
                                () -> WebSocketStream.text(server::serve)))
                .andThen(server.destinations::close);
    }

    private void serve(Channel channel) {
        StompDecoder decoder = StompDecoder.server(LIMITS);
        StompEncoder encoder = new StompEncoder();
        StompBeats beats = new StompBeats();
        channel.pipeline()
                .addLast(new DecoderHandler<>(decoder))
                .addLast(new EncoderHandler<>(StompMessage.class, encoder))
                .addLast(beats)
                .addLast(new StompConnection(destinations, decoder, encoder, beats));
    }
}
