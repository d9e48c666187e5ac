package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.stomp.HeartBeats;
import io.weft.codec.stomp.StompCommand;
import io.weft.codec.stomp.StompDecoder;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompException;
import io.weft.codec.stomp.StompFrame;
import io.weft.codec.stomp.StompHeaders;
import io.weft.codec.stomp.StompLimits;
import io.weft.codec.stomp.StompMessage;
import io.weft.codec.stomp.StompVersion;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A server of STOMP 1.0, 1.1 and 1.2 whose destinations are topics: what is sent to one goes to
/// all who have subscribed to it. It knows receipts, transactions and heart-beats; messages need no
/// acknowledgement. One port serves TCP and WebSocket, in the clear and over TLS.
public final class StompServer {
    private static final StompLimits LIMITS =
            new StompLimits(8_192, 128, 65_536, 1_048_576, 1_048_576);
    private static final WebSocketSettings WEB_SOCKET =
            WebSocketSettings.DEFAULT
                    .subprotocols("v12.stomp", "v11.stomp", "v10.stomp")
                    .pieces(true);

    private static final int MAX_SUBSCRIPTIONS = 1_024;
    private static final int MAX_IN_TRANSACTION = 1_000;

    /// By destination: subscriptions of connections.
    private final Map<String, Map<Subscription, Channel>> topics = new ConcurrentHashMap<>();

    private final AtomicLong messages = new AtomicLong();

    private record Subscription(Connection connection, String id) {}

    private StompServer() {}

    public static void main(String[] args) {
        Example.main(61613, args, StompServer::start);
    }

    static Example.Running start(Options options) {
        StompServer server = new StompServer();
        return Example.tcp(
                options,
                new TcpOrWebSocket(
                        Example.tls(options),
                        server::serve,
                        WEB_SOCKET,
                        _ -> true,
                        () -> WebSocketStream.text(server::serve)));
    }

    private void serve(Channel channel) {
        StompDecoder decoder = StompDecoder.server(LIMITS);
        StompEncoder encoder = new StompEncoder();
        StompBeats beats = new StompBeats();
        channel.pipeline()
                .addLast(new DecoderHandler<>(decoder))
                .addLast(new EncoderHandler<>(StompMessage.class, encoder))
                .addLast(beats)
                .addLast(new Connection(decoder, encoder, beats));
    }

    private void send(StompHeaders headers, Buffer body) {
        String destination = value(headers, "destination");
        Map<Subscription, Channel> subscribers = topics.getOrDefault(destination, Map.of());
        subscribers.forEach(
                (subscription, channel) -> {
                    if (!channel.isWritable()) {
                        return; // a client that does not read misses messages
                    }
                    String id = Long.toString(messages.incrementAndGet());
                    StompHeaders told =
                            StompHeaders.of(
                                    "destination", destination,
                                    "message-id", id,
                                    "subscription", subscription.id);
                    String type = headers.get("content-type");
                    told = type == null ? told : told.with("content-type", type);
                    Buffer mine = body.slice(body.readOffset(), body.readableBytes());
                    channel.writeAndFlush(new StompFrame(StompCommand.MESSAGE, told, mine));
                });
    }

    private static String value(StompHeaders headers, String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    private final class Connection implements MessageHandler<StompMessage> {
        private final StompDecoder decoder;
        private final StompEncoder encoder;
        private final StompBeats beats;

        /// Destinations by the identifier of their subscription.
        private final Map<String, String> subscriptions = new HashMap<>();

        private final Map<String, List<StompFrame>> transactions = new HashMap<>();
        private int inTransactions;

        Connection(StompDecoder decoder, StompEncoder encoder, StompBeats beats) {
            this.decoder = decoder;
            this.encoder = encoder;
            this.beats = beats;
        }

        @Override
        public Class<StompMessage> messageType() {
            return StompMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, StompMessage message) {
            if (!(message instanceof StompFrame frame)) {
                return; // a heart-beat: bodies come whole here
            }
            boolean good =
                    switch (frame.command()) {
                        case CONNECT, STOMP -> connect(ctx, frame.headers());
                        case SEND -> send(frame);
                        case SUBSCRIBE -> subscribe(ctx.channel(), frame.headers());
                        case UNSUBSCRIBE -> unsubscribe(key(frame.headers()));
                        case BEGIN -> begin(value(frame.headers(), "transaction"));
                        case COMMIT -> end(value(frame.headers(), "transaction"), true);
                        case ABORT -> end(value(frame.headers(), "transaction"), false);
                        default -> true;
                    };
            String receipt = frame.headers().get("receipt");
            if (!good) {
                fail(ctx, frame.command() + ": not possible now");
            } else if (receipt != null) {
                ctx.writeAndFlush(StompFrame.of(StompCommand.RECEIPT, "receipt-id", receipt));
            }
            if (!good || frame.command() == StompCommand.DISCONNECT) {
                ctx.close();
            }
        }

        private boolean connect(ChannelHandlerContext ctx, StompHeaders headers) {
            StompVersion version = StompVersion.negotiate(headers.get("accept-version"));
            if (version == null) {
                return false;
            }
            HeartBeats theirs;
            try {
                theirs = HeartBeats.parse(headers.get("heart-beat"));
            } catch (IllegalArgumentException e) {
                return false;
            }
            decoder.version(version);
            encoder.version(version);
            ctx.writeAndFlush(
                    StompFrame.of(
                            StompCommand.CONNECTED,
                            "version",
                            version.text(),
                            "heart-beat",
                            StompBeats.OFFER.text(),
                            "server",
                            "weft"));
            beats.begin(ctx, theirs);
            return true;
        }

        private boolean send(StompFrame frame) {
            String transaction = frame.headers().get("transaction");
            if (transaction == null) {
                StompServer.this.send(frame.headers(), frame.body());
                return true;
            }
            List<StompFrame> waiting = transactions.get(transaction);
            if (waiting == null || inTransactions == MAX_IN_TRANSACTION) {
                return false;
            }
            inTransactions++;
            Buffer body = frame.body();
            waiting.add(
                    new StompFrame(
                            frame.command(),
                            frame.headers(),
                            body.slice(body.readOffset(), body.readableBytes())));
            return true;
        }

        private boolean begin(String transaction) {
            return transactions.size() < MAX_IN_TRANSACTION
                    && transactions.putIfAbsent(transaction, new ArrayList<>()) == null;
        }

        private boolean end(String transaction, boolean commit) {
            List<StompFrame> waiting = transactions.remove(transaction);
            if (waiting == null) {
                return false;
            }
            inTransactions -= waiting.size();
            for (StompFrame frame : waiting) {
                try (frame) {
                    if (commit) {
                        StompServer.this.send(frame.headers(), frame.body());
                    }
                }
            }
            return true;
        }

        /// The identifier of a subscription, which in 1.0 may be its destination.
        private String key(StompHeaders headers) {
            String id = headers.get("id");
            return id == null ? value(headers, "destination") : id;
        }

        private boolean subscribe(Channel channel, StompHeaders headers) {
            String id = key(headers);
            String destination = value(headers, "destination");
            if (subscriptions.size() == MAX_SUBSCRIPTIONS
                    || subscriptions.putIfAbsent(id, destination) != null) {
                return false;
            }
            topics.compute(
                    destination,
                    (d, known) -> {
                        Map<Subscription, Channel> all =
                                known == null ? new ConcurrentHashMap<>() : known;
                        all.put(new Subscription(this, id), channel);
                        return all;
                    });
            return true;
        }

        private boolean unsubscribe(String id) {
            String destination = subscriptions.remove(id);
            if (destination == null) {
                return false;
            }
            topics.computeIfPresent(
                    destination,
                    (d, subscribers) -> {
                        subscribers.remove(new Subscription(this, id));
                        return gone(subscribers);
                    });
            return true;
        }

        private static @Nullable Map<Subscription, Channel> gone(
                Map<Subscription, Channel> subscribers) {
            return subscribers.isEmpty() ? null : subscribers;
        }

        private void fail(ChannelHandlerContext ctx, String message) {
            ctx.writeAndFlush(StompFrame.of(StompCommand.ERROR, "message", message));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            StompFrame reply = cause instanceof StompException e ? e.reply() : null;
            if (reply != null) {
                ctx.writeAndFlush(reply);
            }
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            List.copyOf(subscriptions.keySet()).forEach(this::unsubscribe);
            List.copyOf(transactions.keySet()).forEach(t -> end(t, false));
            ctx.fireChannelInactive();
        }
    }
}
