package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.stomp.HeartBeats;
import io.weft.codec.stomp.StompCommand;
import io.weft.codec.stomp.StompDecoder;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompFrame;
import io.weft.codec.stomp.StompHeaders;
import io.weft.codec.stomp.StompMessage;
import io.weft.codec.stomp.StompVersion;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.ClientOptions;
import io.weft.examples.Failure;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.http.websocket.WebSocketStream;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client of STOMP 1.2: `stomp-client send DESTINATION TEXT` sends a message and waits for its
/// receipt, and `stomp-client sub DESTINATION` prints what comes until it is interrupted; with
/// `--ws` over WebSocket, with `--tls` over TLS.
public final class StompClient implements AutoCloseable {
    private final EventLoopGroup group;
    private final Channel channel;
    private final Handler handler;

    private StompClient(EventLoopGroup group, Channel channel, Handler handler) {
        this.group = group;
        this.channel = channel;
        this.handler = handler;
    }

    public static void main(String[] args) {
        boolean send = args.length > 2 && args[0].equals("send");
        boolean sub = args.length > 1 && args[0].equals("sub");
        if (!send && !sub) {
            boolean asked = List.of(args).contains("--help") || List.of(args).contains("-h");
            PrintStream to = asked ? System.out : System.err;
            to.println("usage: stomp-client send DESTINATION TEXT | sub DESTINATION");
            to.println("options: " + Taken.SOCKETS.usage() + BrokerDial.USAGE + " [--vhost NAME]");
            to.println("default port 61613");
            System.exit(asked ? 0 : 2);
        }
        List<String> rest = new ArrayList<>(List.of(args)).subList(send ? 3 : 2, args.length);
        try {
            run(BrokerDial.parse(61613, Set.of("--vhost"), rest), send, args);
        } catch (IllegalArgumentException | IllegalStateException | CompletionException e) {
            Failure.of(e).exit();
        }
    }

    private static void run(BrokerDial dial, boolean send, String... args) {
        try (StompClient client =
                connect(dial, (from, text) -> System.out.println(from + " " + text))) {
            if (send) {
                var _ = client.send(args[1], args[2]).join();
            } else {
                var _ = client.subscribe(args[1]).join();
                client.channel.closeFuture().join();
            }
        }
    }

    static StompClient connect(Options options, BiConsumer<String, String> messages) {
        return connect(BrokerDial.plain(options), messages);
    }

    /// Connects, and waits until the server has accepted.
    static StompClient connect(BrokerDial dial, BiConsumer<String, String> messages) {
        EventLoopGroup group = EventLoopGroup.create(dial.options().transport(), 1);
        StompEncoder encoder = new StompEncoder();
        Handler handler = new Handler(connect(dial.given()), encoder, messages);
        try {
            Channel channel =
                    dial.connect(
                            group,
                            StompServer.WEB_SOCKET,
                            WebSocketStream::text,
                            c -> {
                                handler.connected = c.newPromise();
                                c.pipeline()
                                        .addLast(new DecoderHandler<>(StompDecoder.client()))
                                        .addLast(new EncoderHandler<>(StompMessage.class, encoder))
                                        .addLast(handler.beats)
                                        .addLast(handler);
                            });
            Promise<Boolean> connected = handler.connected;
            if (connected != null) {
                var _ = connected.join();
            }
            return new StompClient(group, channel, handler);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /// Returns the headers of the CONNECT that options ask for.
    static StompHeaders connect(ClientOptions given) {
        StompHeaders headers =
                StompHeaders.of(
                        "accept-version",
                        "1.0,1.1,1.2",
                        "host",
                        given.own().getOrDefault("--vhost", "localhost"),
                        "heart-beat",
                        StompBeats.OFFER.text());
        String user = given.own().get("--user");
        String password = given.own().get("--pass");
        headers = user == null ? headers : headers.with("login", user);
        return password == null ? headers : headers.with("passcode", password);
    }

    /// Completes with the server's receipt.
    Future<Boolean> send(String destination, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return ask(
                receipt ->
                        new StompFrame(
                                StompCommand.SEND,
                                StompHeaders.of(
                                        "destination",
                                        destination,
                                        "content-type",
                                        "text/plain;charset=utf-8",
                                        "receipt",
                                        receipt),
                                BufferAllocator.pooled()
                                        .allocate(Math.max(1, bytes.length))
                                        .writeBytes(bytes)));
    }

    /// Completes with the server's receipt.
    Future<Boolean> subscribe(String destination) {
        return ask(
                receipt ->
                        StompFrame.of(
                                StompCommand.SUBSCRIBE,
                                "id",
                                receipt,
                                "destination",
                                destination,
                                "receipt",
                                receipt));
    }

    private Future<Boolean> ask(Function<String, StompFrame> frame) {
        Promise<Boolean> done = channel.newPromise();
        channel.eventLoop()
                .execute(
                        () -> {
                            Promise<Void> written = channel.newPromise();
                            written.addListener(
                                    outcome -> {
                                        if (outcome.cause() != null) {
                                            done.tryFailure(outcome.cause());
                                        }
                                    });
                            channel.writeAndFlush(frame.apply(handler.expect(done)), written);
                        });
        return done;
    }

    /// Disconnects when the server has taken all that was sent.
    @Override
    public void close() {
        try {
            if (channel.isActive()) {
                var _ =
                        ask(receipt -> StompFrame.of(StompCommand.DISCONNECT, "receipt", receipt))
                                .join();
            }
        } catch (RuntimeException e) {
            System.err.println("stomp-client: " + e.getMessage());
        } finally {
            group.close();
        }
    }

    private static final class Handler implements MessageHandler<StompMessage> {
        final StompBeats beats = new StompBeats();
        @Nullable Promise<Boolean> connected;
        private final StompHeaders connect;
        private final StompEncoder encoder;
        private final BiConsumer<String, String> messages;
        private final Map<String, Promise<Boolean>> receipts = new HashMap<>();
        private int asked;
        private boolean begun;

        Handler(StompHeaders connect, StompEncoder encoder, BiConsumer<String, String> messages) {
            this.connect = connect;
            this.encoder = encoder;
            this.messages = messages;
        }

        /// The name of the receipt that completes `done`.
        String expect(Promise<Boolean> done) {
            String name = Integer.toString(++asked);
            receipts.put(name, done);
            return name;
        }

        @Override
        public Class<StompMessage> messageType() {
            return StompMessage.class;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            if (ctx.channel().isActive()) {
                connect(ctx); // over WebSocket
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            connect(ctx);
            ctx.fireChannelActive();
        }

        private void connect(ChannelHandlerContext ctx) {
            if (begun) {
                return;
            }
            begun = true;
            ctx.writeAndFlush(
                    new StompFrame(
                            StompCommand.CONNECT, connect, BufferAllocator.pooled().allocate(0)));
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, StompMessage message) {
            if (!(message instanceof StompFrame frame)) {
                return; // a heart-beat
            }
            StompHeaders headers = frame.headers();
            switch (frame.command()) {
                case CONNECTED -> {
                    StompVersion version = StompVersion.of(value(headers, "version"));
                    encoder.version(version == null ? StompVersion.V1_0 : version);
                    beats.begin(ctx, HeartBeats.parse(headers.get("heart-beat")));
                    if (connected != null) {
                        connected.trySuccess(true);
                    }
                }
                case MESSAGE ->
                        messages.accept(
                                value(headers, "destination"), frame.body().readString(UTF_8));
                case RECEIPT -> {
                    Promise<Boolean> done = receipts.remove(value(headers, "receipt-id"));
                    if (done != null) {
                        done.trySuccess(true);
                    }
                }
                default -> fail(new IllegalStateException(value(headers, "message")));
            }
        }

        private static String value(StompHeaders headers, String name) {
            String value = headers.get(name);
            return value == null ? "" : value;
        }

        private void fail(Throwable cause) {
            if (connected != null) {
                connected.tryFailure(cause);
            }
            receipts.values().forEach(done -> done.tryFailure(cause));
            receipts.clear();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            fail(cause);
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            fail(new IllegalStateException("the connection is over"));
            ctx.fireChannelInactive();
        }
    }
}
