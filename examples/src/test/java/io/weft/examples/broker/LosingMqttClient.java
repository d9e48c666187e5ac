package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
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
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// A client whose session outlives its connections, which it loses when it is told to. All of it is
/// on the one loop of its group.
final class LosingMqttClient implements SessionHandler {
    final BlockingQueue<String> delivered = new LinkedBlockingQueue<>();
    final BlockingQueue<Long> completed = new LinkedBlockingQueue<>();
    final BlockingQueue<ReasonCode> subscribed = new LinkedBlockingQueue<>();
    private final EventLoopGroup group;
    private final SocketAddress broker;
    private final Connect connect;
    private final MqttSession session =
            MqttSession.client(SessionLimits.DEFAULT, this, System::nanoTime);
    private @Nullable TopicFilter filter;
    private @Nullable Channel current;
    private boolean closed;
    private int lost;

    /// @param filter that it subscribes to with the first connection
    LosingMqttClient(
            EventLoopGroup group,
            SocketAddress broker,
            MqttVersion version,
            String id,
            @Nullable String filter) {
        this.group = group;
        this.broker = broker;
        this.filter = filter == null ? null : TopicFilter.of(filter);
        connect =
                Connect.of(version, id)
                        .cleanStart(false)
                        .properties(
                                version.isV5()
                                        ? MqttProperties.of(
                                                MqttProperty.SESSION_EXPIRY_INTERVAL, 0xFFFF_FFFFL)
                                        : MqttProperties.NONE);
        connect();
    }

    private void connect() {
        var _ =
                new Bootstrap(group)
                        .handler(
                                c ->
                                        c.pipeline()
                                                .addLast(
                                                        new DecoderHandler<>(
                                                                MqttDecoder.client(
                                                                        connect.version(),
                                                                        MqttBroker.LIMITS)))
                                                .addLast(
                                                        new EncoderHandler<>(
                                                                MqttMessage.class,
                                                                new MqttEncoder(connect.version())))
                                                .addLast(new Connection()))
                        .connect(broker);
    }

    void publish(String topic, String text, QoS qos, long token) {
        group.next()
                .execute(
                        () -> {
                            byte[] bytes = text.getBytes(UTF_8);
                            Buffer payload =
                                    BufferAllocator.pooled()
                                            .allocate(bytes.length)
                                            .writeBytes(bytes);
                            if (!session.publish(Publish.of(Topic.of(topic), payload, qos), token)
                                    && qos != QoS.AT_MOST_ONCE) {
                                completed.add(-1L); // dropped: a test that asks for too much
                            }
                            flush();
                        });
    }

    /// Loses the connection: by a reset, or by another one that takes over.
    void lose(boolean reset) {
        group.next()
                .execute(
                        () -> {
                            Channel channel = current;
                            if (channel == null) {
                                return; // it has none yet
                            }
                            leave();
                            lost++;
                            if (reset) {
                                var _ = channel.abort();
                            }
                            connect();
                        });
    }

    private void leave() {
        if (current != null) {
            current = null;
            if (session.isConnected()) {
                session.end();
            }
        }
    }

    int lost() {
        return lost;
    }

    /// Ends for good.
    void close() {
        group.next()
                .execute(
                        () -> {
                            closed = true;
                            Channel channel = current;
                            leave();
                            session.close();
                            if (channel != null) {
                                channel.close();
                            }
                        });
    }

    private void flush() {
        if (current != null) {
            current.flush();
        }
    }

    @Override
    public void send(MqttPacket packet) {
        if (current != null) {
            current.write(packet);
        }
    }

    @Override
    public ReasonCode deliver(Publish publish) {
        try (publish) {
            delivered.add(publish.topic() + " " + publish.payload().readString(UTF_8));
        }
        return ReasonCode.SUCCESS;
    }

    @Override
    public void completed(long token, ReasonCode reason) {
        completed.add(token);
    }

    private final class Connection implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (closed) {
                ctx.close();
                return;
            }
            current = ctx.channel();
            ctx.writeAndFlush(connect);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            MqttPacket packet = (MqttPacket) message;
            if (current != ctx.channel()) {
                if (packet instanceof Publish late) {
                    late.close();
                }
            } else if (packet instanceof ConnAck ack) {
                session.begin(connect, ack);
                TopicFilter wanted = filter;
                if (wanted != null) {
                    var _ =
                            session.subscribe(
                                    MqttProperties.NONE,
                                    List.of(Subscription.of(wanted, QoS.EXACTLY_ONCE)));
                }
            } else if (!session.received(packet) && packet instanceof SubAck ack) {
                filter = null;
                subscribed.addAll(ack.reasons());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (current == ctx.channel()) {
                leave();
                if (!closed) {
                    connect();
                }
            }
        }
    }
}
