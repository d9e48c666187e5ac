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
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.RetainHandling;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.UnsubAck;
import io.weft.codec.mqtt.Unsubscribe;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of a broker.
final class MqttBrokerConnection implements ChannelHandler {
    private static final int CONNECT_SECONDS = 10;
    private static final long UNLIMITED = 0xFFFF_FFFFL;
    private static final int MAX_SUBSCRIPTIONS = 1_000;

    /// Bytes of [#outbox] above which the client does not keep up.
    private static final int MAX_OUTBOX = 256 << 10;

    /// Weight of a packet in [#outbox], beside its payload, topic and properties.
    private static final int PACKET = 64;

    private final MqttBroker broker;
    private final MqttEncoder encoder;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable MqttBrokerClient client;
    private final MqttBrokerRetained retained;

    /// Packets that a task on the channel's loop is to write, and their bytes: a channel cannot
    /// tell what is on its way to its loop. The broker's lock guards these.
    private final List<MqttPacket> outbox = new ArrayList<>();

    private int outboxBytes;
    private boolean flushing;

    /// A task will look for more retained messages.
    private boolean searching;

    /// Of the CONNECT that has to come, and then of the keep-alive.
    private @Nullable Timeout timer;

    MqttBrokerConnection(MqttBroker broker, MqttEncoder encoder) {
        this.broker = broker;
        this.encoder = encoder;
        retained = new MqttBrokerRetained(broker.topics);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        timer = added.eventLoop().schedule(added::close, CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            var _ = timer.cancel();
            timer = null;
        }
    }

    private Channel channel() {
        if (ctx == null) {
            throw new IllegalStateException("no channel (expected: added to a pipeline)");
        }
        return ctx.channel();
    }

    /// Tells if the client takes what it is sent about as fast as it is sent.
    boolean keepsUp() {
        return channel().isWritable() && outboxBytes < MAX_OUTBOX;
    }

    void send(MqttPacket packet) {
        outbox.add(packet);
        outboxBytes += PACKET;
        if (packet instanceof Publish p) {
            outboxBytes +=
                    p.payload().readableBytes() + p.topic().length() + p.properties().length();
        }
        broker.written(this);
    }

    /// Writes what was sent, on the channel's loop.
    void flush() {
        EventLoop loop = channel().eventLoop();
        if (loop.inLoop()) {
            write();
        } else if (!flushing) {
            flushing = true;
            try {
                loop.execute(this::write);
            } catch (RejectedExecutionException e) {
                release(takeOutbox());
            }
        }
    }

    private void write() {
        Channel channel = channel();
        takeOutbox().forEach(channel::write);
        channel.flush();
    }

    private List<MqttPacket> takeOutbox() {
        synchronized (broker) {
            List<MqttPacket> all = List.copyOf(outbox);
            outbox.clear();
            outboxBytes = 0;
            flushing = false;
            return all;
        }
    }

    private static void release(List<MqttPacket> packets) {
        for (MqttPacket packet : packets) {
            if (packet instanceof Publish publish) {
                publish.close();
            }
        }
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
        encoder.maximumPacketSize(asked.number(MqttProperty.MAXIMUM_PACKET_SIZE, UNLIMITED));
        if (asked.contains(MqttProperty.AUTHENTICATION_METHOD)) {
            refuse(ctx, ReasonCode.BAD_AUTHENTICATION_METHOD);
            return;
        }
        MqttBrokerClient mine = broker.client(connect);
        if (mine == null) {
            refuse(ctx, ReasonCode.QUOTA_EXCEEDED);
            return;
        }
        client = mine;
        ConnAck ack = new ConnAck(mine.wasConnected, ReasonCode.SUCCESS, offered(connect, mine));
        mine.connected(this, connect, ack);
        send(ack);
        mine.session.begin(connect, ack);
        tick(ctx);
    }

    private static void refuse(ChannelHandlerContext ctx, ReasonCode reason) {
        ctx.writeAndFlush(ConnAck.refused(reason));
        ctx.close();
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
        cancelTimer();
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
            timer = ctx.eventLoop().schedule(() -> tick(ctx), next, TimeUnit.NANOSECONDS);
        }
    }

    private void handle(ChannelHandlerContext ctx, MqttBrokerClient mine, MqttPacket packet) {
        switch (packet) {
            case Subscribe subscribe -> subscribe(mine, subscribe);
            case Unsubscribe unsubscribe -> unsubscribe(mine, unsubscribe);
            case Disconnect disconnect -> {
                mine.lifetime.disconnect(disconnect);
                leave();
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
        for (Subscription s : subscribe.subscriptions()) {
            if (mine.filters.size() >= MAX_SUBSCRIPTIONS && !mine.filters.contains(s.filter())) {
                reasons.add(ReasonCode.QUOTA_EXCEEDED);
                continue;
            }
            boolean isNew = broker.topics.subscribe(mine, s, identifier);
            reasons.add(ReasonCode.granted(s.qos()));
            boolean wanted =
                    s.retainHandling() == RetainHandling.SEND
                            || (isNew && s.retainHandling() == RetainHandling.SEND_IF_NEW);
            if (wanted && !s.filter().isShared()) {
                retained.add(s, identifier);
            }
        }
        send(new SubAck(subscribe.packetId(), MqttProperties.NONE, reasons));
        // The retained messages follow at the end of the read.
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
        sendRetained();
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sendRetained();
        ctx.fireChannelWritabilityChanged();
    }

    /// Sends retained messages that have waited for the client, and all else that was written.
    private void sendRetained() {
        synchronized (broker) {
            MqttBrokerClient mine = client;
            if (mine != null && mine.isOn(this) && retained.send(this, mine) && !searching) {
                searching = true;
                channel().eventLoop().executeUnbounded(this::searchOn);
            }
            broker.flush();
        }
    }

    private void searchOn() {
        synchronized (broker) {
            searching = false;
        }
        sendRetained();
    }

    /// The client has connected anew.
    void takenOver() {
        if (encoder.version().isV5()) {
            send(Disconnect.of(ReasonCode.SESSION_TAKEN_OVER));
        }
        broker.flush();
        leave();
        var _ = channel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        synchronized (broker) {
            leave(); // what else has come with it is not for the session
            broker.flush();
        }
        if (cause instanceof MqttException e && e.reply() != null) {
            encoder.version(e.version());
            ctx.writeAndFlush(e.reply());
        }
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelTimer();
        synchronized (broker) {
            leave();
            broker.flush();
        }
        ctx.fireChannelInactive();
    }

    private void leave() {
        MqttBrokerClient mine = client;
        if (mine != null && mine.isOn(this)) {
            mine.disconnected(channel().eventLoop());
        }
    }
}
