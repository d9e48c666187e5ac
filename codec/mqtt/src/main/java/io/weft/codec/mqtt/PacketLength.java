package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;
import io.weft.codec.mqtt.rules.Utf8Rules;

/// Lengths of packets before they are written, with all checks that could fail.
final class PacketLength {
    static final long MAX_PACKET = MqttLimits.MAX_REMAINING_LENGTH + 5L;

    /// The properties that may stand at each place, a bit for each identifier.
    private static final long[] ALLOWED = new long[16];

    private static final int WILL = 0;

    static {
        for (MqttProperty<?> property : MqttProperty.all()) {
            for (int place = 0; place < ALLOWED.length; place++) {
                if (property.isAt(1 << place)) {
                    ALLOWED[place] |= 1L << property.id();
                }
            }
        }
    }

    private PacketLength() {}

    /// @throws IllegalArgumentException when the packet cannot be encoded
    static int remaining(MqttPacket packet, MqttVersion version) {
        PacketType type = packet.type();
        return switch (packet) {
            case Connect connect -> connect(connect);
            case ConnAck ack -> 2 + properties(ack.properties(), type, version);
            case Publish p ->
                    sum(
                            publish(p.topic(), p.qos(), p.packetId(), p.properties(), version),
                            p.payload().readableBytes());
            case PubAck(int _, ReasonCode reason, MqttProperties properties) ->
                    2 + reason(reason, properties, type, version);
            case PubRec(int _, ReasonCode reason, MqttProperties properties) ->
                    2 + reason(reason, properties, type, version);
            case PubRel(int _, ReasonCode reason, MqttProperties properties) ->
                    2 + reason(reason, properties, type, version);
            case PubComp(int _, ReasonCode reason, MqttProperties properties) ->
                    2 + reason(reason, properties, type, version);
            case Subscribe subscribe -> subscribe(subscribe, version);
            case SubAck ack ->
                    sum(2 + properties(ack.properties(), type, version), ack.reasons().size());
            case Unsubscribe unsubscribe -> unsubscribe(unsubscribe, version);
            case UnsubAck ack -> unsubAck(ack, version);
            case PingReq _, PingResp _ -> 0;
            case Disconnect(ReasonCode reason, MqttProperties properties) ->
                    reason(reason, properties, type, version);
            case Auth(ReasonCode reason, MqttProperties properties) -> {
                if (!version.isV5()) {
                    throw new IllegalArgumentException(
                            "AUTH: in " + version + " (expected: in V5)");
                }
                if (!properties.contains(MqttProperty.AUTHENTICATION_METHOD)) {
                    throw new IllegalArgumentException(
                            "AUTH: no authentication method (expected: one)");
                }
                yield reason(reason, properties, type, version);
            }
        };
    }

    /// Bytes of a packet with its fixed header.
    static int whole(int remaining) {
        return 1 + variable(remaining) + remaining;
    }

    static int sum(long a, long b) {
        if (a + b > MqttLimits.MAX_REMAINING_LENGTH) {
            throw new IllegalArgumentException(
                    "remaining length: "
                            + (a + b)
                            + " (expected: at most "
                            + MqttLimits.MAX_REMAINING_LENGTH
                            + ")");
        }
        return (int) (a + b);
    }

    private static int variable(int value) {
        return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : 4;
    }

    /// Bytes of a PUBLISH before its payload.
    static int publish(
            Topic topic, QoS qos, int packetId, MqttProperties properties, MqttVersion version) {
        if (topic.isNone() && !properties.contains(MqttProperty.TOPIC_ALIAS)) {
            throw new IllegalArgumentException("topic: none (expected: a name, or an alias)");
        }
        if (qos != QoS.AT_MOST_ONCE && packetId == 0) {
            throw new IllegalArgumentException(
                    "packetId: 0 (expected: 1 to 65535 with " + qos + ")");
        }
        return 2
                + topic.utf8.length
                + (packetId == 0 ? 0 : 2)
                + properties(properties, PacketType.PUBLISH, version);
    }

    private static int properties(MqttProperties p, PacketType type, MqttVersion version) {
        return properties(p, type.number(), version);
    }

    private static int properties(MqttProperties properties, int place, MqttVersion version) {
        int length = properties.bytes.length;
        if (!version.isV5()) {
            if (length > 0) {
                throw new IllegalArgumentException(
                        "properties: " + properties + " (expected: none in " + version + ")");
            }
            return 0;
        }
        if (length > 0
                && !properties.isWithin(ALLOWED[place], place == PacketType.PUBLISH.number())) {
            throw new IllegalArgumentException(
                    "properties: "
                            + properties
                            + " (expected: those of "
                            + (place == WILL ? "a will" : PacketType.of(place))
                            + ")");
        }
        return sum(variable(length), length);
    }

    /// A success without properties takes no bytes, nor does any reason before 5.0.
    private static int reason(
            ReasonCode reason, MqttProperties properties, PacketType type, MqttVersion version) {
        int length = properties(properties, type, version);
        if (!version.isV5() || (reason == ReasonCode.SUCCESS && properties.isEmpty())) {
            return 0;
        }
        return properties.isEmpty() ? 1 : 1 + length;
    }

    private static int connect(Connect connect) {
        MqttVersion version = connect.version();
        if (connect.password() != null && connect.userName() == null && !version.isV5()) {
            throw new IllegalArgumentException(
                    "password: without a user name (expected: with one in " + version + ")");
        }
        int length =
                6
                        + version.protocolName().length()
                        + properties(connect.properties(), PacketType.CONNECT, version);
        int id = Utf8Rules.length("clientId", connect.clientId());
        length = sum(length, 2 + id);
        Will will = connect.will();
        if (will != null) {
            length = sum(length, properties(will.properties(), WILL, version));
            length = sum(length, 4L + will.topic().utf8.length + will.payload().length());
        }
        if (connect.userName() != null) {
            length = sum(length, 2L + Utf8Rules.length("userName", connect.userName()));
        }
        Binary password = connect.password();
        return password == null ? length : sum(length, 2L + password.length());
    }

    private static int subscribe(Subscribe subscribe, MqttVersion version) {
        int length = 2 + properties(subscribe.properties(), PacketType.SUBSCRIBE, version);
        for (Subscription subscription : subscribe.subscriptions()) {
            if (!version.isV5() && subscription.options() > 2) {
                throw new IllegalArgumentException(
                        "subscription: " + subscription + " (expected: a QoS alone)");
            }
            length = sum(length, 3L + subscription.filter().utf8.length);
        }
        return length;
    }

    private static int unsubscribe(Unsubscribe unsubscribe, MqttVersion version) {
        int length = 2 + properties(unsubscribe.properties(), PacketType.UNSUBSCRIBE, version);
        for (TopicFilter filter : unsubscribe.filters()) {
            length = sum(length, 2L + filter.utf8.length);
        }
        return length;
    }

    private static int unsubAck(UnsubAck ack, MqttVersion version) {
        int length = 2 + properties(ack.properties(), PacketType.UNSUBACK, version);
        if (!version.isV5()) {
            return length;
        }
        Packets.requireSome("reasons", ack.reasons().size());
        return sum(length, ack.reasons().size());
    }
}
