package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.rules.Peer;
import io.weft.codec.mqtt.rules.TopicCache;
import io.weft.codec.mqtt.rules.Utf8Rules;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A cursor over the body of one packet, all of which has arrived. Every read is checked against
/// the packet's end.
final class PacketReader {
    private final Peer peer;
    private final MqttLimits limits;
    private final TopicCache topics = new TopicCache();

    /// Properties of the last PUBLISH that had some: the next ones are often the same.
    private MqttProperties last = MqttProperties.NONE;

    private @Nullable Buffer in;
    private int at;
    private int end;

    PacketReader(Peer peer, MqttLimits limits) {
        this.peer = peer;
        this.limits = limits;
    }

    void begin(Buffer in, int from, int end) {
        this.in = in;
        at = from;
        this.end = end;
    }

    int at() {
        return at;
    }

    int left() {
        return end - at;
    }

    private Buffer in() {
        if (in == null) {
            throw new AssertionError("no packet (expected: begun)");
        }
        return in;
    }

    private int take(String what, int bytes) {
        int from = at;
        if (bytes > end - from) {
            throw peer.malformed(
                    what + ": " + (end - from) + " bytes left (expected: " + bytes + ")");
        }
        at = from + bytes;
        return from;
    }

    int u8(String what) {
        return in().getUnsignedByte(take(what, 1));
    }

    int u16(String what) {
        return in().getUnsignedShort(take(what, 2));
    }

    long u32(String what) {
        return in().getUnsignedInt(take(what, 4));
    }

    /// A number of one to four bytes, in its shortest form (MQTT 5.0, 1.5.5).
    int variable(String what) {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int b = u8(what);
            value |= (b & 0x7F) << shift;
            if (b < 0x80) {
                if (b == 0 && shift > 0) {
                    throw peer.malformed(what + ": not the shortest form (expected: it)");
                }
                return value;
            }
        }
        throw peer.malformed(what + ": more than four bytes (expected: at most four)");
    }

    int packetId() {
        int id = u16("packet identifier");
        if (id == 0) {
            throw peer.malformed("packet identifier: 0 (expected: 1 to 65535)");
        }
        return id;
    }

    String text(String what) {
        return text(what, 0xFFFF);
    }

    String text(String what, int most) {
        int length = u16(what);
        if (length > most) {
            throw peer.fault(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    what + " bytes: " + length + " (expected: at most " + most + ")");
        }
        int from = take(what, length);
        requireUtf8(what, from, length);
        return in().getString(from, length, StandardCharsets.UTF_8);
    }

    private void requireUtf8(String what, int from, int length) {
        int fault = Utf8Rules.firstFault(in(), from, from + length);
        if (fault >= 0) {
            throw peer.malformed(
                    "%s: byte 0x%02x at %d (expected: UTF-8 without U+0000)"
                            .formatted(what, in().getUnsignedByte(fault), fault - from));
        }
    }

    Binary binary(String what) {
        int length = u16(what);
        return length == 0 ? Binary.EMPTY : new Binary(bytes(what, length));
    }

    private byte[] bytes(String what, int length) {
        int from = take(what, length);
        byte[] bytes = new byte[length];
        in().getBytes(from, bytes, 0, length);
        return bytes;
    }

    /// A topic name, or [Topic#NONE] for an empty one.
    Topic topic() {
        int length = u16("topic");
        int from = take("topic", length);
        if (length == 0) {
            return Topic.NONE;
        }
        Topic known = topics.find(in(), from, length);
        if (known != null) {
            return known;
        }
        requireUtf8("topic", from, length);
        byte[] utf8 = new byte[length];
        in().getBytes(from, utf8, 0, length);
        for (int i = 0; i < length; i++) {
            if (utf8[i] == '+' || utf8[i] == '#') {
                throw peer.fault(
                        ReasonCode.TOPIC_NAME_INVALID,
                        "topic: wildcard at byte " + i + " (expected: none)");
            }
        }
        Topic topic = new Topic(utf8);
        requireLevels("topic", topic.levels(), ReasonCode.TOPIC_NAME_INVALID);
        topics.keep(topic, utf8, in(), from);
        return topic;
    }

    TopicFilter filter() {
        int length = u16("topic filter");
        int from = take("topic filter", length);
        requireUtf8("topic filter", from, length);
        byte[] utf8 = new byte[length];
        in().getBytes(from, utf8, 0, length);
        TopicFilter filter;
        try {
            filter = new TopicFilter(utf8);
        } catch (IllegalArgumentException e) {
            throw peer.fault(ReasonCode.TOPIC_FILTER_INVALID, String.valueOf(e.getMessage()));
        }
        requireLevels("topic filter", filter.levels(), ReasonCode.TOPIC_FILTER_INVALID);
        return filter;
    }

    private void requireLevels(String what, int levels, ReasonCode reason) {
        if (levels > limits.topicLevels()) {
            throw peer.fault(
                    reason,
                    what
                            + " levels: "
                            + levels
                            + " (expected: at most "
                            + limits.topicLevels()
                            + ")");
        }
    }

    /// @param place a bit of [MqttProperty]
    MqttProperties properties(int place) {
        if (!peer.version.isV5()) {
            return MqttProperties.NONE;
        }
        int length = variable("property length");
        requirePropertyBytes(length);
        int from = take("properties", length);
        if (length == 0) {
            return MqttProperties.NONE;
        }
        boolean publish = place == MqttProperty.place(PacketType.PUBLISH);
        if (publish
                && last.bytes.length == length
                && in().contentEquals(from, last.bytes, 0, length)) {
            return last;
        }
        int packetEnd = end;
        at = from;
        end = from + length;
        MqttProperties properties = checked(place, from, length);
        end = packetEnd;
        if (publish && length <= 128) {
            last = properties;
        }
        return properties;
    }

    void requirePropertyBytes(int length) {
        if (length > limits.propertyBytes()) {
            throw peer.fault(
                    ReasonCode.PACKET_TOO_LARGE,
                    "property bytes: "
                            + length
                            + " (expected: at most "
                            + limits.propertyBytes()
                            + ")");
        }
    }

    private MqttProperties checked(int place, int from, int length) {
        long ids = 0;
        boolean repeats = false;
        while (left() > 0) {
            int id = variable("property identifier");
            MqttProperty<?> property = MqttProperty.of(id);
            if (property == null) {
                throw peer.malformed("property: %d (expected: one that exists)".formatted(id));
            }
            if (!property.isAt(place)) {
                throw peer.protocol(property + ": in this packet (expected: where it is allowed)");
            }
            long bit = 1L << id;
            if ((ids & bit) != 0) {
                if (!property.repeats(place)) {
                    throw peer.protocol(property + ": twice (expected: once)");
                }
                repeats |= property.form == MqttProperty.Form.VARIABLE;
            }
            ids |= bit;
            value(property);
        }
        requireServersOwn(place, ids);
        byte[] bytes = new byte[length];
        in().getBytes(from, bytes, 0, length);
        return new MqttProperties(bytes, ids, repeats);
    }

    private void value(MqttProperty<?> property) {
        String what = property.toString();
        switch (property.form) {
            case BOOLEAN, BYTE -> number(property, u8(what));
            case TWO_BYTES -> number(property, u16(what));
            case FOUR_BYTES -> number(property, u32(what));
            case VARIABLE -> number(property, variable(what));
            case TEXT -> textBytes(what);
            case TOPIC -> {
                int from = at + 2;
                textBytes(what);
                if (at == from || hasWildcard(from, at)) {
                    throw peer.protocol(what + ": no topic name (expected: one)");
                }
            }
            case BINARY -> {
                int length = u16(what);
                var _ = take(what, length);
            }
            case PAIR -> {
                textBytes("name of a user property");
                textBytes("value of a user property");
            }
        }
    }

    private void textBytes(String what) {
        int length = u16(what);
        int from = take(what, length);
        requireUtf8(what, from, length);
    }

    private boolean hasWildcard(int from, int to) {
        return in().indexOf((byte) '+', from, to) >= 0 || in().indexOf((byte) '#', from, to) >= 0;
    }

    private void number(MqttProperty<?> property, long value) {
        if (value < property.least || value > property.most) {
            throw peer.fault(
                    property.fault(),
                    property
                            + ": "
                            + value
                            + " (expected: "
                            + property.least
                            + " to "
                            + property.most
                            + ")");
        }
    }

    /// Rules about the side that a property comes from.
    private void requireServersOwn(int place, long ids) {
        MqttProperty<?> wrong = null;
        if (peer.isClient) {
            // MQTT 5.0, 3.3.2.3.8 and 3.14.2.2.5
            if (place == MqttProperty.place(PacketType.PUBLISH)) {
                wrong = MqttProperty.SUBSCRIPTION_IDENTIFIER;
            } else if (place == MqttProperty.place(PacketType.DISCONNECT)) {
                wrong = MqttProperty.SERVER_REFERENCE;
            }
        } else if (place == MqttProperty.place(PacketType.DISCONNECT)) {
            wrong = MqttProperty.SESSION_EXPIRY_INTERVAL; // 3.14.2.2.2
        }
        if (wrong != null && (ids >> wrong.id() & 1) != 0) {
            throw peer.protocol(wrong + ": of the wrong side (expected: from the other one only)");
        }
    }

    ReasonCode reason(PacketType type) {
        int number = u8("reason code");
        ReasonCode reason = ReasonCode.of(number);
        if (reason == null || !reason.isOf(type)) {
            throw peer.protocol(
                    "reason code: 0x%02x (expected: one that %s may have)".formatted(number, type));
        }
        return reason;
    }

    void requireEnd() {
        if (at != end) {
            throw peer.malformed("packet: " + left() + " bytes behind its fields (expected: none)");
        }
        in = null;
    }
}
