package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import org.jspecify.annotations.Nullable;

/// Encodes the packets of one connection of MQTT 3.1, 3.1.1 or 5.0, on either side.
///
/// **Version.** A client's encoder takes it from the CONNECT that it encodes, a server is told the
/// one of the CONNECT that it decoded, by [#version(MqttVersion)]. Until then it is 3.1.1.
///
/// **Errors.** An [IllegalArgumentException] where a packet has properties or reasons that its
/// version or type does not know, a message of QoS 1 or 2 has no packet identifier, or a packet is
/// larger than the peer takes; nothing is written then.
///
/// **Long payloads** go whole in a [Publish], or as a [PublishStart] and [PublishPart]s that
/// together have the bytes it says. No other packet may come between them.
public final class MqttEncoder implements Encoder<MqttMessage> {
    private MqttVersion version = MqttVersion.V3_1_1;
    private long maximumPacketSize = PacketLength.MAX_PACKET;
    private int payloadLeft;

    /// Without a version yet.
    public MqttEncoder() {}

    /// For `version`.
    public MqttEncoder(MqttVersion version) {
        this.version = version;
    }

    public MqttVersion version() {
        return version;
    }

    /// Sets the version of the packets from now on.
    public void version(MqttVersion version) {
        this.version = version;
    }

    /// Sets the bytes of a packet, fixed header included, that the peer takes:
    /// [MqttProperty#MAXIMUM_PACKET_SIZE].
    ///
    /// @throws IllegalArgumentException unless there is at least one
    public void maximumPacketSize(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "maximumPacketSize: " + bytes + " (expected: at least 1)");
        }
        maximumPacketSize = bytes;
    }

    /// Tells if the peer takes a packet of the size of this one. A server drops messages that are
    /// too large for one of its clients (MQTT 5.0, 3.1.2.11.4).
    ///
    /// @throws IllegalArgumentException when it cannot be encoded
    public boolean fits(MqttPacket packet) {
        return PacketLength.whole(PacketLength.remaining(packet, version)) <= maximumPacketSize;
    }

    @Override
    public void encode(MqttMessage message, Output out) {
        if (message instanceof PublishPart part) {
            part(part, out);
            return;
        }
        try {
            if (payloadLeft > 0) {
                throw new IllegalArgumentException(
                        "message: a packet (expected: the "
                                + payloadLeft
                                + " bytes of payload that are left)");
            }
            switch (message) {
                case Publish publish -> publish(publish, out);
                case PublishStart start -> start(start, out);
                case MqttPacket packet -> packet(packet, out);
                case PublishPart _ -> throw new AssertionError("part (expected: none)");
            }
        } catch (RuntimeException | Error e) {
            if (message instanceof Publish publish) {
                publish.close();
            }
            throw e;
        }
    }

    /// Encodes the answer to a fault of the peer, if there is one, in the version of the fault. It
    /// is nothing within a long payload, which the peer would take the answer for.
    public void reply(MqttException fault, Output out) {
        MqttPacket reply = fault.reply();
        if (reply == null || payloadLeft > 0) {
            return;
        }
        MqttVersion before = version;
        version = fault.version();
        try {
            encode(reply, out);
        } catch (RuntimeException | Error e) {
            version = before;
            throw e;
        }
    }

    private void part(PublishPart part, Output out) {
        int length = part.bytes().readableBytes();
        if (length > payloadLeft || part.isLast() != (length == payloadLeft)) {
            part.close();
            throw new IllegalArgumentException(
                    "payload bytes: "
                            + length
                            + " (expected: the rest of a payload, "
                            + payloadLeft
                            + " bytes, or less unless it is the last part)");
        }
        payloadLeft -= length;
        out.add(part.bytes());
    }

    private Buffer begin(int first, int remaining, int here, Output out) {
        int size = PacketLength.whole(remaining);
        if (size > maximumPacketSize) {
            throw new IllegalArgumentException(
                    "packet bytes: " + size + " (expected: at most " + maximumPacketSize + ")");
        }
        Buffer to = out.buffer(size - remaining + here);
        to.writeByte(first);
        variable(to, remaining);
        return to;
    }

    private void publish(Publish p, Output out) {
        int payload = p.payload().readableBytes();
        int head = PacketLength.publish(p.topic(), p.qos(), p.packetId(), p.properties(), version);
        int first = first(p.qos(), p.retain(), p.duplicate());
        Buffer to = begin(first, PacketLength.sum(head, payload), head, out);
        head(to, p.topic(), p.packetId(), p.properties());
        out.add(p.payload());
    }

    private void start(PublishStart p, Output out) {
        int head = PacketLength.publish(p.topic(), p.qos(), p.packetId(), p.properties(), version);
        int first = first(p.qos(), p.retain(), p.duplicate());
        Buffer to = begin(first, PacketLength.sum(head, p.payloadBytes()), head, out);
        head(to, p.topic(), p.packetId(), p.properties());
        payloadLeft = p.payloadBytes();
    }

    private static int first(QoS qos, boolean retain, boolean duplicate) {
        return 0x30 | (duplicate ? 8 : 0) | qos.level() << 1 | (retain ? 1 : 0);
    }

    private void head(Buffer to, Topic topic, int packetId, MqttProperties properties) {
        data(to, topic.utf8);
        if (packetId != 0) {
            to.writeShort(packetId);
        }
        properties(to, properties);
    }

    private void packet(MqttPacket packet, Output out) {
        MqttVersion before = version;
        if (packet instanceof Connect connect) {
            version = connect.version();
        }
        Buffer to;
        try {
            int remaining = PacketLength.remaining(packet, version);
            PacketType type = packet.type();
            to = begin(type.number() << 4 | type.flags(), remaining, remaining, out);
        } catch (RuntimeException | Error e) {
            version = before;
            throw e;
        }
        switch (packet) {
            case Connect connect -> connect(to, connect);
            case ConnAck ack -> connAck(to, ack);
            case PubAck(int id, ReasonCode reason, MqttProperties properties) ->
                    ack(to, id, reason, properties);
            case PubRec(int id, ReasonCode reason, MqttProperties properties) ->
                    ack(to, id, reason, properties);
            case PubRel(int id, ReasonCode reason, MqttProperties properties) ->
                    ack(to, id, reason, properties);
            case PubComp(int id, ReasonCode reason, MqttProperties properties) ->
                    ack(to, id, reason, properties);
            case Subscribe subscribe -> subscribe(to, subscribe);
            case SubAck ack -> subAck(to, ack);
            case Unsubscribe unsubscribe -> {
                to.writeShort(unsubscribe.packetId());
                properties(to, unsubscribe.properties());
                for (TopicFilter filter : unsubscribe.filters()) {
                    data(to, filter.utf8);
                }
            }
            case UnsubAck ack -> {
                to.writeShort(ack.packetId());
                properties(to, ack.properties());
                if (version.isV5()) {
                    for (ReasonCode reason : ack.reasons()) {
                        to.writeByte(reason.number());
                    }
                }
            }
            case Disconnect(ReasonCode reason, MqttProperties properties) ->
                    reason(to, reason, properties);
            case Auth(ReasonCode reason, MqttProperties properties) ->
                    reason(to, reason, properties);
            case PingReq _, PingResp _ -> {}
            case Publish _ -> throw new AssertionError("PUBLISH (expected: another)");
        }
    }

    private void connect(Buffer to, Connect connect) {
        text(to, version.protocolName());
        Will will = connect.will();
        int flags =
                (connect.cleanStart() ? 0x02 : 0)
                        | (connect.userName() == null ? 0 : 0x80)
                        | (connect.password() == null ? 0 : 0x40);
        if (will != null) {
            flags |= 0x04 | will.qos().level() << 3 | (will.retain() ? 0x20 : 0);
        }
        to.writeByte(version.level()).writeByte(flags).writeShort(connect.keepAlive());
        properties(to, connect.properties());
        text(to, connect.clientId());
        if (will != null) {
            properties(to, will.properties());
            data(to, will.topic().utf8);
            data(to, will.payload().bytes);
        }
        if (connect.userName() != null) {
            text(to, connect.userName());
        }
        Binary password = connect.password();
        if (password != null) {
            data(to, password.bytes);
        }
    }

    private void connAck(Buffer to, ConnAck ack) {
        boolean present = ack.sessionPresent() && version != MqttVersion.V3_1;
        to.writeByte(present ? 1 : 0);
        to.writeByte(version.isV5() ? ack.reason().number() : ack.reason().returnCode());
        properties(to, ack.properties());
    }

    private void ack(Buffer to, int packetId, ReasonCode reason, MqttProperties properties) {
        to.writeShort(packetId);
        reason(to, reason, properties);
    }

    /// Leaves out what may be.
    private void reason(Buffer to, ReasonCode reason, MqttProperties properties) {
        if (!version.isV5() || (reason == ReasonCode.SUCCESS && properties.isEmpty())) {
            return;
        }
        to.writeByte(reason.number());
        if (!properties.isEmpty()) {
            properties(to, properties);
        }
    }

    private void subscribe(Buffer to, Subscribe subscribe) {
        to.writeShort(subscribe.packetId());
        properties(to, subscribe.properties());
        for (Subscription subscription : subscribe.subscriptions()) {
            data(to, subscription.filter().utf8);
            to.writeByte(subscription.options());
        }
    }

    private void subAck(Buffer to, SubAck ack) {
        to.writeShort(ack.packetId());
        properties(to, ack.properties());
        for (ReasonCode reason : ack.reasons()) {
            // MQTT 3.1.1, 3.9.3: a failure is 0x80.
            to.writeByte(
                    reason.isError() && !version.isV5()
                            ? ReasonCode.UNSPECIFIED_ERROR.number()
                            : reason.number());
        }
    }

    private void properties(Buffer to, MqttProperties properties) {
        if (version.isV5()) {
            variable(to, properties.bytes.length);
            if (properties.bytes.length > 0) {
                to.writeBytes(properties.bytes);
            }
        }
    }

    private static void data(Buffer to, byte[] bytes) {
        to.writeShort(bytes.length);
        to.writeBytes(bytes);
    }

    private static void text(Buffer to, @Nullable String text) {
        int at = to.writeOffset();
        to.writeShort(0);
        to.setShort(at, to.writeUtf8(text == null ? "" : text));
    }

    private static void variable(Buffer to, int value) {
        int rest = value;
        for (; rest > 0x7F; rest >>>= 7) {
            to.writeByte((rest & 0x7F) | 0x80);
        }
        to.writeByte(rest);
    }
}
