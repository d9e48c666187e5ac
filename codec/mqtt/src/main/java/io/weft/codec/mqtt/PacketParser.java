package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.rules.Peer;
import java.util.ArrayList;
import java.util.List;

/// Bodies of packets that are no PUBLISH and have arrived whole.
final class PacketParser {
    private static final int USER_NAME = 0x80;
    private static final int PASSWORD = 0x40;
    private static final int WILL_RETAIN = 0x20;
    private static final int WILL = 0x04;
    private static final int CLEAN = 0x02;

    private final Peer peer;
    private final MqttLimits limits;
    private final PacketReader reader;

    PacketParser(Peer peer, MqttLimits limits, PacketReader reader) {
        this.peer = peer;
        this.limits = limits;
        this.reader = reader;
    }

    /// Parses all of [from, end) of `in`.
    ///
    /// @param shortest the remaining length came in its shortest form
    MqttPacket parse(PacketType type, boolean shortest, Buffer in, int from, int end) {
        reader.begin(in, from, end);
        MqttPacket packet =
                switch (type) {
                    case CONNECT -> connect(shortest);
                    case CONNACK -> connAck();
                    case PUBACK -> pubAck();
                    case PUBREC -> pubRec();
                    case PUBREL -> pubRel();
                    case PUBCOMP -> pubComp();
                    case SUBSCRIBE -> subscribe();
                    case SUBACK -> subAck();
                    case UNSUBSCRIBE -> unsubscribe();
                    case UNSUBACK -> unsubAck();
                    case PINGREQ -> PingReq.INSTANCE;
                    case PINGRESP -> PingResp.INSTANCE;
                    case DISCONNECT -> disconnect();
                    case AUTH -> auth();
                    case PUBLISH -> throw new AssertionError("PUBLISH (expected: another)");
                };
        reader.requireEnd();
        return packet;
    }

    private Connect connect(boolean shortest) {
        String name = reader.text("protocol name");
        int level = reader.u8("protocol level");
        MqttVersion version = version(name, level);
        peer.version = version;
        if (version.isV5() && !shortest) {
            throw peer.malformed("remaining length: not the shortest form (expected: it)");
        }
        int flags = reader.u8("connect flags");
        requireFlags(version, flags);
        int keepAlive = reader.u16("keep alive");
        MqttProperties properties = properties(PacketType.CONNECT);
        if (properties.contains(MqttProperty.AUTHENTICATION_DATA)
                && !properties.contains(MqttProperty.AUTHENTICATION_METHOD)) {
            // MQTT 5.0, 3.1.2.11.10
            throw peer.protocol("authentication data: without a method (expected: with one)");
        }
        boolean clean = (flags & CLEAN) != 0;
        String clientId = clientId(version, clean);
        Will will = (flags & WILL) == 0 ? null : will(flags);
        boolean old = version == MqttVersion.V3_1; // 3.1 lets them miss: Payload, User name
        String userName =
                (flags & USER_NAME) == 0 || (old && reader.left() == 0)
                        ? null
                        : reader.text("user name");
        Binary password =
                (flags & PASSWORD) == 0 || (old && reader.left() == 0)
                        ? null
                        : reader.binary("password");
        return new Connect(
                version, clean, keepAlive, properties, clientId, will, userName, password);
    }

    private MqttVersion version(String name, int level) {
        for (MqttVersion version : MqttVersion.values()) {
            if (version.level() == level && version.protocolName().equals(name)) {
                return version;
            }
        }
        throw peer.fault(
                ReasonCode.UNSUPPORTED_PROTOCOL_VERSION,
                "protocol: "
                        + (name.length() > 6 ? "another name" : '"' + name + '"')
                        + " level "
                        + level
                        + " (expected: MQTT 4 or 5, MQIsdp 3)");
    }

    private void requireFlags(MqttVersion version, int flags) {
        // MQTT 3.1.1 and 5.0, 3.1.2.3
        if ((flags & 1) != 0 && version != MqttVersion.V3_1) {
            throw peer.malformed("connect flags: reserved bit set (expected: 0)");
        }
        int qos = flags >> 3 & 3;
        if (qos == 3 || ((flags & WILL) == 0 && (flags & 0x38) != 0)) {
            throw peer.malformed(
                    "will flags: 0x%02x (expected: a QoS of 0 to 2, and none without a will)"
                            .formatted(flags));
        }
        // MQTT 3.1.1, 3.1.2.9; 5.0 allows a password alone.
        if (!version.isV5() && (flags & (USER_NAME | PASSWORD)) == PASSWORD) {
            throw peer.malformed("password: without a user name (expected: with one)");
        }
    }

    private String clientId(MqttVersion version, boolean clean) {
        boolean old = version == MqttVersion.V3_1;
        // MQTT 3.1, CONNECT, Payload: 1 to 23 characters.
        int most = old ? Math.min(4 * 23, limits.clientIdBytes()) : limits.clientIdBytes();
        String id = reader.text("client identifier", most);
        if (old && (id.isEmpty() || id.codePointCount(0, id.length()) > 23)) {
            throw peer.fault(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "client identifier length: " + id.length() + " (expected: 1 to 23)");
        }
        // MQTT 3.1.1, 3.1.3.1
        if (id.isEmpty() && !clean && version == MqttVersion.V3_1_1) {
            throw peer.fault(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "client identifier: empty with a session (expected: with a clean one)");
        }
        return id;
    }

    private Will will(int flags) {
        MqttProperties properties = reader.properties(MqttProperty.WILL);
        Topic topic = reader.topic();
        if (topic.isNone()) {
            throw peer.fault(ReasonCode.TOPIC_NAME_INVALID, "will topic: empty (expected: a name)");
        }
        return new Will(
                topic,
                QoS.of(flags >> 3 & 3),
                (flags & WILL_RETAIN) != 0,
                properties,
                reader.binary("will payload"));
    }

    private MqttProperties properties(PacketType type) {
        return reader.properties(MqttProperty.place(type));
    }

    private ConnAck connAck() {
        int flags = reader.u8("acknowledge flags");
        if ((flags & ~1) != 0 && peer.version != MqttVersion.V3_1) {
            throw peer.malformed("acknowledge flags: " + flags + " (expected: 0 or 1)");
        }
        boolean present = (flags & 1) != 0 && peer.version != MqttVersion.V3_1;
        ReasonCode reason;
        if (peer.version.isV5()) {
            reason = reader.reason(PacketType.CONNACK);
        } else {
            int code = reader.u8("return code");
            ReasonCode of = ReasonCode.ofReturnCode(code);
            if (of == null) {
                throw peer.malformed("return code: " + code + " (expected: 0 to 5)");
            }
            reason = of;
        }
        if (present && reason != ReasonCode.SUCCESS) {
            throw peer.protocol("session present: 1 with " + reason + " (expected: 0)");
        }
        return new ConnAck(present, reason, properties(PacketType.CONNACK));
    }

    /// The reason code, which may be left out of a packet of MQTT 5.0 with all that follows it.
    private ReasonCode optionalReason(PacketType type) {
        return peer.version.isV5() && reader.left() > 0 ? reader.reason(type) : ReasonCode.SUCCESS;
    }

    private MqttProperties optionalProperties(PacketType type) {
        return reader.left() > 0 ? properties(type) : MqttProperties.NONE;
    }

    private PubAck pubAck() {
        int id = reader.packetId();
        ReasonCode reason = optionalReason(PacketType.PUBACK);
        return new PubAck(id, reason, optionalProperties(PacketType.PUBACK));
    }

    private PubRec pubRec() {
        int id = reader.packetId();
        ReasonCode reason = optionalReason(PacketType.PUBREC);
        return new PubRec(id, reason, optionalProperties(PacketType.PUBREC));
    }

    private PubRel pubRel() {
        int id = reader.packetId();
        ReasonCode reason = optionalReason(PacketType.PUBREL);
        return new PubRel(id, reason, optionalProperties(PacketType.PUBREL));
    }

    private PubComp pubComp() {
        int id = reader.packetId();
        ReasonCode reason = optionalReason(PacketType.PUBCOMP);
        return new PubComp(id, reason, optionalProperties(PacketType.PUBCOMP));
    }

    private Subscribe subscribe() {
        int id = reader.packetId();
        MqttProperties properties = properties(PacketType.SUBSCRIBE);
        List<Subscription> subscriptions = new ArrayList<>(2);
        do {
            requireFilters(subscriptions.size());
            TopicFilter filter = reader.filter();
            subscriptions.add(subscription(filter, reader.u8("subscription options")));
        } while (reader.left() > 0);
        return new Subscribe(id, properties, subscriptions);
    }

    private Subscription subscription(TopicFilter filter, int options) {
        // MQTT 3.1.1, 3.8.3: the upper six bits are 0; 5.0, 3.8.3.1: the upper two.
        int reserved = peer.version.isV5() ? 0xC0 : 0xFC;
        if ((options & 3) == 3 || (options & reserved) != 0) {
            throw peer.malformed(
                    "subscription options: 0x%02x (expected: a QoS of 0 to 2, no reserved bits)"
                            .formatted(options));
        }
        int handling = options >> 4 & 3;
        boolean noLocal = (options & 4) != 0;
        if (handling == 3 || (noLocal && filter.isShared())) {
            throw peer.protocol(
                    "subscription options: 0x%02x (expected: retain handling of 0 to 2, and not 'no local' with a share)"
                            .formatted(options));
        }
        return new Subscription(
                filter,
                QoS.of(options & 3),
                noLocal,
                (options & 8) != 0,
                RetainHandling.of(handling));
    }

    private void requireFilters(int before) {
        if (before == limits.filters()) {
            throw peer.fault(
                    ReasonCode.QUOTA_EXCEEDED,
                    "filters: more than " + before + " (expected: at most " + before + ")");
        }
    }

    private SubAck subAck() {
        int id = reader.packetId();
        MqttProperties properties = properties(PacketType.SUBACK);
        List<ReasonCode> reasons = new ArrayList<>(2);
        do {
            requireFilters(reasons.size());
            ReasonCode reason = reader.reason(PacketType.SUBACK);
            // MQTT 3.1.1, 3.9.3
            if (!peer.version.isV5() && reason.number() > 2 && reason.number() != 0x80) {
                throw peer.malformed(
                        "return code: %d (expected: 0, 1, 2 or 128)".formatted(reason.number()));
            }
            reasons.add(reason);
        } while (reader.left() > 0);
        return new SubAck(id, properties, reasons);
    }

    private Unsubscribe unsubscribe() {
        int id = reader.packetId();
        MqttProperties properties = properties(PacketType.UNSUBSCRIBE);
        List<TopicFilter> filters = new ArrayList<>(2);
        do {
            requireFilters(filters.size());
            filters.add(reader.filter());
        } while (reader.left() > 0);
        return new Unsubscribe(id, properties, filters);
    }

    private UnsubAck unsubAck() {
        int id = reader.packetId();
        if (!peer.version.isV5()) {
            return new UnsubAck(id, MqttProperties.NONE, List.of());
        }
        MqttProperties properties = properties(PacketType.UNSUBACK);
        List<ReasonCode> reasons = new ArrayList<>(2);
        do {
            requireFilters(reasons.size());
            reasons.add(reader.reason(PacketType.UNSUBACK));
        } while (reader.left() > 0);
        return new UnsubAck(id, properties, reasons);
    }

    private Disconnect disconnect() {
        ReasonCode reason = optionalReason(PacketType.DISCONNECT);
        return new Disconnect(reason, optionalProperties(PacketType.DISCONNECT));
    }

    private Auth auth() {
        ReasonCode reason = optionalReason(PacketType.AUTH);
        MqttProperties properties = optionalProperties(PacketType.AUTH);
        // MQTT 5.0, 3.15.2.2.2
        if (!properties.contains(MqttProperty.AUTHENTICATION_METHOD)) {
            throw peer.protocol("AUTH: no authentication method (expected: one)");
        }
        return new Auth(reason, properties);
    }
}
