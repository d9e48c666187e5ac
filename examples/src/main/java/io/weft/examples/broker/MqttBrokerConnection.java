package io.weft.examples.broker;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.RetainHandling;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.UnsubAck;
import io.weft.codec.mqtt.Unsubscribe;
import io.weft.codec.mqtt.Will;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of a broker.
final class MqttBrokerConnection implements ChannelHandler {
    private static final int CONNECT_SECONDS = 10;
    private static final long FOREVER = 0xFFFF_FFFFL;

    private final MqttBroker broker;
    private final MqttEncoder encoder;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable MqttBrokerClient client;
    private @Nullable Will will;
    private long expirySeconds;

    MqttBrokerConnection(MqttBroker broker, MqttEncoder encoder) {
        this.broker = broker;
        this.encoder = encoder;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        added.eventLoop()
                .schedule(
                        () -> {
                            if (client == null) {
                                added.close();
                            }
                        },
                        CONNECT_SECONDS,
                        0,
                        TimeUnit.SECONDS);
    }

    private Channel channel() {
        if (ctx == null) {
            throw new IllegalStateException("no channel (expected: added to a pipeline)");
        }
        return ctx.channel();
    }

    boolean isWritable() {
        return channel().isWritable();
    }

    boolean isV5() {
        return encoder.version().isV5();
    }

    boolean fits(Publish publish) {
        int id = publish.qos() == QoS.AT_MOST_ONCE ? 0 : 1;
        return encoder.fits(
                publish.with(publish.qos(), publish.retain(), id, publish.properties()));
    }

    void send(MqttPacket packet) {
        channel().write(packet);
        broker.written(channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof MqttPacket packet)) {
            ctx.fireChannelRead(message);
            return;
        }
        synchronized (broker) {
            MqttBrokerClient known = client;
            if (known == null) {
                if (packet instanceof Connect connect) {
                    connect(ctx, connect);
                }
            } else if (!known.isOn(this)) {
                if (packet instanceof Publish late) {
                    late.close(); // another connection has the session
                }
            } else if (!known.session.received(packet)) {
                handle(ctx, known, packet);
            }
        }
    }

    private void connect(ChannelHandlerContext ctx, Connect connect) {
        encoder.version(connect.version());
        MqttProperties asked = connect.properties();
        encoder.maximumPacketSize(asked.number(MqttProperty.MAXIMUM_PACKET_SIZE, FOREVER));
        if (asked.contains(MqttProperty.AUTHENTICATION_METHOD)) {
            ctx.writeAndFlush(ConnAck.refused(ReasonCode.BAD_AUTHENTICATION_METHOD));
            ctx.close();
            return;
        }
        MqttBrokerClient mine = broker.client(connect);
        client = mine;
        will = connect.will();
        expirySeconds =
                connect.version().isV5()
                        ? asked.number(MqttProperty.SESSION_EXPIRY_INTERVAL, 0)
                        : connect.cleanStart() ? 0 : FOREVER;
        ConnAck ack = new ConnAck(mine.wasConnected, ReasonCode.SUCCESS, offered(connect, mine));
        mine.connected(this);
        send(ack);
        mine.session.begin(connect, ack);
        tick(ctx);
    }

    private static MqttProperties offered(Connect connect, MqttBrokerClient client) {
        if (connect.version() != MqttVersion.V5) {
            return MqttProperties.NONE;
        }
        MqttProperties offered =
                MqttProperties.of(MqttProperty.TOPIC_ALIAS_MAXIMUM, 16)
                        .with(MqttProperty.RECEIVE_MAXIMUM, 256)
                        .with(
                                MqttProperty.MAXIMUM_PACKET_SIZE,
                                (long) MqttBroker.LIMITS.packetBytes());
        return connect.clientId().isEmpty()
                ? offered.with(MqttProperty.ASSIGNED_CLIENT_IDENTIFIER, client.id)
                : offered;
    }

    /// Keeps the connection alive, or ends it.
    private void tick(ChannelHandlerContext ctx) {
        long next;
        synchronized (broker) {
            MqttBrokerClient mine = client;
            if (mine == null || !mine.isOn(this)) {
                return;
            }
            try {
                next = mine.session.tick();
            } catch (MqttException e) {
                exceptionCaught(ctx, e);
                return;
            }
        }
        if (next != Long.MAX_VALUE) {
            ctx.eventLoop().schedule(() -> tick(ctx), next, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void handle(ChannelHandlerContext ctx, MqttBrokerClient mine, MqttPacket packet) {
        switch (packet) {
            case Subscribe subscribe -> subscribe(mine, subscribe);
            case Unsubscribe unsubscribe -> unsubscribe(mine, unsubscribe);
            case Disconnect disconnect -> {
                if (disconnect.reason() == ReasonCode.SUCCESS) {
                    will = null; // MQTT 5.0, 3.14.4
                }
                expirySeconds =
                        disconnect
                                .properties()
                                .number(MqttProperty.SESSION_EXPIRY_INTERVAL, expirySeconds);
                ctx.close();
            }
            default -> {
                ctx.writeAndFlush(Disconnect.of(ReasonCode.PROTOCOL_ERROR));
                ctx.close();
            }
        }
    }

    private void subscribe(MqttBrokerClient mine, Subscribe subscribe) {
        int identifier =
                (int) subscribe.properties().number(MqttProperty.SUBSCRIPTION_IDENTIFIER, 0);
        List<ReasonCode> reasons = new ArrayList<>();
        List<Subscription> withRetained = new ArrayList<>();
        for (Subscription s : subscribe.subscriptions()) {
            boolean isNew = broker.topics.subscribe(mine, s, identifier);
            reasons.add(ReasonCode.granted(s.qos()));
            boolean wanted =
                    s.retainHandling() == RetainHandling.SEND
                            || (isNew && s.retainHandling() == RetainHandling.SEND_IF_NEW);
            if (wanted && !s.filter().isShared()) {
                withRetained.add(s);
            }
        }
        send(new SubAck(subscribe.packetId(), MqttProperties.NONE, reasons));
        withRetained.forEach(s -> broker.topics.sendRetained(mine, s, identifier));
    }

    private void unsubscribe(MqttBrokerClient mine, Unsubscribe unsubscribe) {
        List<ReasonCode> reasons = new ArrayList<>();
        for (TopicFilter filter : unsubscribe.filters()) {
            reasons.add(
                    broker.topics.unsubscribe(mine, filter)
                            ? ReasonCode.SUCCESS
                            : ReasonCode.NO_SUBSCRIPTION_EXISTED);
        }
        send(new UnsubAck(unsubscribe.packetId(), MqttProperties.NONE, reasons));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        synchronized (broker) {
            broker.flush();
        }
        ctx.fireChannelReadComplete();
    }

    /// The client has connected anew.
    void takenOver() {
        if (isV5()) {
            send(Disconnect.of(ReasonCode.SESSION_TAKEN_OVER));
        }
        broker.flush();
        leave();
        var _ = channel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof MqttException e && e.reply() != null) {
            encoder.version(e.version());
            ctx.writeAndFlush(e.reply());
        }
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        synchronized (broker) {
            leave();
            broker.flush();
        }
        ctx.fireChannelInactive();
    }

    private void leave() {
        MqttBrokerClient mine = client;
        if (mine == null || !mine.isOn(this)) {
            return;
        }
        mine.disconnected();
        if (expirySeconds == 0) {
            broker.remove(mine);
        } else if (expirySeconds != FOREVER) {
            later(expirySeconds, () -> remove(mine));
        }
        Will last = will;
        if (last != null) {
            long delay = last.properties().number(MqttProperty.WILL_DELAY_INTERVAL, 0);
            delay = Math.min(delay, expirySeconds);
            if (delay == 0) {
                broker.publish(last);
            } else {
                later(delay, () -> publish(mine, last));
            }
        }
    }

    private void later(long seconds, Runnable task) {
        var _ =
                channel()
                        .eventLoop()
                        .schedule(
                                () -> {
                                    synchronized (broker) {
                                        task.run();
                                        broker.flush();
                                    }
                                },
                                seconds,
                                0,
                                TimeUnit.SECONDS);
    }

    private void remove(MqttBrokerClient mine) {
        if (!mine.isConnected()) {
            broker.remove(mine);
        }
    }

    /// A will with a delay is dropped when its client comes back before.
    private void publish(MqttBrokerClient mine, Will last) {
        if (!mine.isConnected()) {
            broker.publish(last);
        }
    }
}
