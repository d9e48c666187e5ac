package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.session.MqttSession;
import io.weft.codec.mqtt.session.SessionHandler;
import io.weft.codec.mqtt.session.SessionLimits;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A client of MQTT: `mqtt-client pub TOPIC MESSAGE` publishes with QoS 1 unless told otherwise,
/// and `mqtt-client sub FILTER` prints what comes until it is interrupted; with `--ws` over
/// WebSocket, with `--tls` over TLS.
public final class MqttClient implements AutoCloseable {
    private static final String USAGE = " [--id ID] [--mqtt 3|4|5] [--qos 0|1|2] [--retain true]";

    private static final Set<String> OWN = Set.of("--id", "--mqtt", "--qos", "--retain");

    private final EventLoopGroup group;
    private final Channel channel;
    private final Handler handler;

    private MqttClient(EventLoopGroup group, Channel channel, Handler handler) {
        this.group = group;
        this.channel = channel;
        this.handler = handler;
    }

    public static void main(String[] args) {
        boolean pub = args.length > 2 && args[0].equals("pub");
        boolean sub = args.length > 1 && args[0].equals("sub");
        if (!pub && !sub) {
            boolean asked = List.of(args).contains("--help") || List.of(args).contains("-h");
            PrintStream to = asked ? System.out : System.err;
            to.println("usage: mqtt-client pub TOPIC MESSAGE | sub FILTER, then options");
            to.println("options: " + Taken.SOCKETS.usage() + BrokerDial.USAGE + USAGE);
            to.println("default port 1883; --mqtt 4 is 3.1.1");
            System.exit(asked ? 0 : 2);
        }
        List<String> rest = new ArrayList<>(List.of(args)).subList(pub ? 3 : 2, args.length);
        try {
            run(BrokerDial.parse(1883, OWN, rest), pub, args);
        } catch (IllegalArgumentException | IllegalStateException | CompletionException e) {
            Failure.of(e).exit();
        }
    }

    private static void run(BrokerDial dial, boolean pub, String... args) {
        ClientOptions given = dial.given();
        QoS qos = QoS.of(given.number("--qos", pub ? 1 : 2, 0, 2));
        boolean retain = given.value("--retain").equals("true");
        try (MqttClient client =
                connect(
                        dial,
                        connect(given),
                        (topic, text) -> System.out.println(topic + " " + text))) {
            if (pub) {
                System.out.println(client.publish(args[1], args[2], qos, retain).join());
            } else {
                System.out.println(client.subscribe(args[1], qos).join());
                client.channel.closeFuture().join();
            }
        }
    }

    /// Returns the CONNECT that options ask for.
    static Connect connect(ClientOptions given) {
        MqttVersion version =
                switch (given.number("--mqtt", 5, 3, 5)) {
                    case 3 -> MqttVersion.V3_1;
                    case 4 -> MqttVersion.V3_1_1;
                    default -> MqttVersion.V5;
                };
        // MQTT 3.1 knows no server that chooses: 1 to 23 characters.
        String id = given.own().getOrDefault("--id", version == MqttVersion.V3_1 ? "weft" : "");
        String password = given.own().get("--pass");
        return Connect.of(version, id)
                .credentials(
                        given.own().get("--user"), password == null ? null : Binary.of(password));
    }

    static MqttClient connect(
            Options options, Connect connect, BiConsumer<String, String> messages) {
        return connect(BrokerDial.plain(options), connect, messages);
    }

    /// Connects, and waits until the server has accepted.
    static MqttClient connect(
            BrokerDial dial, Connect connect, BiConsumer<String, String> messages) {
        EventLoopGroup group = EventLoopGroup.create(dial.options().transport(), 1);
        Handler handler = new Handler(connect, messages);
        try {
            Channel channel =
                    dial.connect(
                            group,
                            MqttBroker.WEB_SOCKET,
                            WebSocketStream::binary,
                            c -> {
                                handler.accepted = c.newPromise();
                                c.pipeline()
                                        .addLast(
                                                new DecoderHandler<>(
                                                        MqttDecoder.client(
                                                                connect.version(),
                                                                MqttBroker.LIMITS)))
                                        .addLast(
                                                new EncoderHandler<>(
                                                        MqttMessage.class, new MqttEncoder()))
                                        .addLast(handler);
                            });
            Promise<ConnAck> accepted = handler.accepted;
            if (accepted != null) {
                accepted.join();
            }
            return new MqttClient(group, channel, handler);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /// Completes with the server's answer; at once with QoS 0.
    Future<ReasonCode> publish(String topic, String text, QoS qos) {
        return publish(topic, text, qos, false);
    }

    /// Completes with the server's answer; at once with QoS 0.
    ///
    /// @throws IllegalArgumentException for a topic that is none
    Future<ReasonCode> publish(String topic, String text, QoS qos, boolean retain) {
        Topic to = Topic.of(topic);
        return onLoop(
                done -> {
                    byte[] bytes = text.getBytes(UTF_8);
                    Buffer payload =
                            BufferAllocator.pooled()
                                    .allocate(Math.max(1, bytes.length))
                                    .writeBytes(bytes);
                    handler.publish(
                            new Publish(to, payload, qos, retain, false, 0, MqttProperties.NONE),
                            done);
                });
    }

    /// Completes with the server's answer.
    ///
    /// @throws IllegalArgumentException for a filter that is none
    Future<ReasonCode> subscribe(String filter, QoS qos) {
        Subscription subscription = Subscription.of(TopicFilter.of(filter), qos);
        return onLoop(done -> handler.subscribe(subscription, done));
    }

    /// Asks the server on the channel's loop. Whatever keeps the question from it fails the
    /// promise.
    private Future<ReasonCode> onLoop(Consumer<Promise<ReasonCode>> question) {
        Promise<ReasonCode> done = channel.newPromise();
        try {
            channel.eventLoop().execute(() -> ask(question, done));
        } catch (RejectedExecutionException e) {
            done.tryFailure(e);
        }
        return done;
    }

    private void ask(Consumer<Promise<ReasonCode>> question, Promise<ReasonCode> done) {
        if (!channel.isActive()) {
            done.tryFailure(new IllegalStateException("connection closed"));
            return;
        }
        try {
            question.accept(done);
        } catch (RuntimeException | OutOfMemoryError e) {
            done.tryFailure(e);
        }
    }

    /// Disconnects in an orderly way.
    @Override
    public void close() {
        channel.writeAndFlush(Disconnect.normal());
        var _ = channel.close();
        group.close();
    }

    private static final class Handler implements ChannelHandler, SessionHandler {
        private final Connect connect;
        private final BiConsumer<String, String> messages;
        private final MqttSession session =
                MqttSession.client(SessionLimits.DEFAULT, this, System::nanoTime);
        private final Map<Long, Promise<ReasonCode>> published = new HashMap<>();
        private final Map<Integer, Promise<ReasonCode>> subscribed = new HashMap<>();
        private long lastToken;
        private boolean begun;
        private @Nullable ChannelHandlerContext ctx;
        @Nullable Promise<ConnAck> accepted;

        Handler(Connect connect, BiConsumer<String, String> messages) {
            this.connect = connect;
            this.messages = messages;
        }

        private ChannelHandlerContext ctx() {
            if (ctx == null) {
                throw new IllegalStateException("no channel (expected: connected)");
            }
            return ctx;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            ctx = added;
            if (added.channel().isActive()) {
                begin(added); // over WebSocket
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            begin(ctx);
            ctx.fireChannelActive();
        }

        private void begin(ChannelHandlerContext ctx) {
            if (!begun) {
                begun = true;
                ctx.writeAndFlush(connect);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (!(message instanceof MqttPacket packet)) {
                ctx.fireChannelRead(message);
                return;
            }
            if (packet instanceof ConnAck ack) {
                accepted(ctx, ack);
            } else if (!session.received(packet) && packet instanceof SubAck ack) {
                Promise<ReasonCode> waiting = subscribed.remove(ack.packetId());
                if (waiting != null) {
                    waiting.trySuccess(ack.reasons().getFirst());
                }
            }
        }

        private void accepted(ChannelHandlerContext ctx, ConnAck ack) {
            Promise<ConnAck> waiting = accepted;
            if (ack.reason().isError()) {
                if (waiting != null) {
                    waiting.tryFailure(new IllegalStateException("refused: " + ack.reason()));
                }
                ctx.close();
                return;
            }
            session.begin(connect, ack);
            tick(ctx);
            if (waiting != null) {
                waiting.trySuccess(ack);
            }
        }

        private void tick(ChannelHandlerContext ctx) {
            try {
                long next = session.tick();
                ctx.flush();
                if (next != Long.MAX_VALUE) {
                    ctx.eventLoop().schedule(() -> tick(ctx), next, 0, TimeUnit.NANOSECONDS);
                }
            } catch (MqttException e) {
                exceptionCaught(ctx, e);
            }
        }

        void publish(Publish publish, Promise<ReasonCode> done) {
            long token = ++lastToken;
            boolean waits = publish.qos() != QoS.AT_MOST_ONCE;
            if (waits) {
                published.put(token, done);
            }
            boolean taken = session.publish(publish, token);
            ctx().flush();
            if (!taken) {
                published.remove(token);
                done.tryFailure(new IllegalStateException("no connection, or too much waits"));
            } else if (!waits) {
                done.trySuccess(ReasonCode.SUCCESS);
            }
        }

        void subscribe(Subscription subscription, Promise<ReasonCode> done) {
            int id = session.subscribe(MqttProperties.NONE, List.of(subscription));
            subscribed.put(id, done);
            ctx().flush();
        }

        @Override
        public void send(MqttPacket packet) {
            ctx().write(packet);
        }

        @Override
        public ReasonCode deliver(Publish publish) {
            try (publish) {
                messages.accept(publish.topic().toString(), publish.payload().readString(UTF_8));
            }
            return ReasonCode.SUCCESS;
        }

        @Override
        public void completed(long token, ReasonCode reason) {
            Promise<ReasonCode> waiting = published.remove(token);
            if (waiting != null) {
                waiting.trySuccess(reason);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
            ctx.fireChannelReadComplete();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof MqttException e && e.reply() != null) {
                ctx.writeAndFlush(e.reply());
            }
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            session.end();
            session.close();
            IllegalStateException gone = new IllegalStateException("connection closed");
            published.values().forEach(p -> p.tryFailure(gone));
            subscribed.values().forEach(p -> p.tryFailure(gone));
            if (accepted != null) {
                accepted.tryFailure(gone);
            }
            ctx.fireChannelInactive();
        }
    }
}
