package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import io.weft.codec.mqtt.rules.Peer;
import java.util.function.Consumer;

/// Decodes the packets of one connection of MQTT 3.1, 3.1.1 or 5.0, on the server's or on the
/// client's side.
///
/// **Messages.** Packets come whole, but a PUBLISH whose payload is longer than
/// [MqttLimits#wholePayload] comes as a [PublishStart] and [PublishPart]s.
///
/// **Errors.** A packet that breaks the protocol or a limit is a [MqttException], which says what
/// to answer. Lengths are checked before what they count has arrived, and reserve nothing. It is
/// also checked that the peer's packets are those of its role and version, and that its first one
/// is a CONNECT, of which there is one, or a CONNACK or AUTH.
///
/// **Memory.** A payload is a slice of the input. Of a small PUBLISH the decoder makes the record
/// and the slice; the topics and properties that a connection repeats are the same objects.
public final class MqttDecoder extends StepDecoder<MqttMessage> {
    private static final int INCOMPLETE = -1;

    private final Peer peer;
    private final MqttLimits limits;
    private final PacketReader reader;
    private final PacketParser parser;

    /// Of a payload that comes in parts.
    private int payloadLeft;

    private MqttDecoder(Peer peer, MqttLimits limits) {
        this.peer = peer;
        this.limits = limits;
        reader = new PacketReader(peer, limits);
        parser = new PacketParser(peer, limits, reader);
    }

    /// Decodes what clients send; the version is that of their CONNECT.
    public static MqttDecoder server() {
        return server(MqttLimits.DEFAULT);
    }

    /// As above.
    public static MqttDecoder server(MqttLimits limits) {
        return new MqttDecoder(new Peer(true, MqttVersion.V3_1_1), limits);
    }

    /// Decodes what servers send to a client that connects with `version`.
    public static MqttDecoder client(MqttVersion version) {
        return client(version, MqttLimits.DEFAULT);
    }

    /// As above.
    public static MqttDecoder client(MqttVersion version, MqttLimits limits) {
        return new MqttDecoder(new Peer(false, version), limits);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super MqttMessage> out) {
        return payloadLeft > 0 ? part(in, out) : packet(in, out);
    }

    private boolean part(Buffer in, Consumer<? super MqttMessage> out) {
        int length = Math.min(payloadLeft, in.readableBytes());
        if (length == 0) {
            return false;
        }
        Buffer bytes = in.split(length);
        payloadLeft -= length;
        out.accept(new PublishPart(bytes, payloadLeft == 0));
        return true;
    }

    private boolean packet(Buffer in, Consumer<? super MqttMessage> out) {
        int start = in.readOffset();
        int readable = in.readableBytes();
        if (readable == 0) {
            return false;
        }
        int first = in.getUnsignedByte(start);
        PacketType type = type(first);
        int length = 0;
        int body = start + 1;
        // The fixed header's remaining length: one to four bytes, the lowest seven bits first.
        while (true) {
            if (body - start == readable) {
                return false;
            }
            int b = in.getUnsignedByte(body);
            length |= (b & 0x7F) << (7 * (body - start - 1));
            body++;
            if (b < 0x80) {
                break;
            }
            if (body - start > 4) {
                throw peer.malformed("remaining length: more than four bytes (expected: four)");
            }
        }
        boolean shortest = body - start == 2 || in.getByte(body - 1) != 0;
        if (!shortest && peer.version.isV5()) {
            throw peer.malformed("remaining length: not the shortest form (expected: it)");
        }
        requireLength(type, length);
        if (type == PacketType.PUBLISH) {
            return publish(in, out, first, body, length);
        }
        if (in.writeOffset() - body < length) {
            return false;
        }
        MqttPacket packet = parser.parse(type, shortest, in, body, body + length);
        // A server's AUTH may come before its CONNACK (MQTT 5.0, 4.12).
        peer.begun |= type != PacketType.AUTH;
        in.readOffset(body + length);
        out.accept(packet);
        return true;
    }

    /// Checks what the first byte says, before anything else has arrived.
    private PacketType type(int first) {
        int number = first >> 4;
        if (number == 0 || (number == 15 && !peer.version.isV5())) {
            throw peer.malformed("packet type: " + number + " (expected: one of the version)");
        }
        PacketType type = PacketType.of(number);
        boolean known =
                peer.isClient ? type.isFromClient(peer.version) : type.isFromServer(peer.version);
        boolean again = peer.begun && (type == PacketType.CONNECT || type == PacketType.CONNACK);
        if (!known || again) {
            throw peer.protocol(type + " (expected: a packet of the peer's role)");
        }
        boolean opens =
                peer.isClient
                        ? type == PacketType.CONNECT
                        : type == PacketType.CONNACK || type == PacketType.AUTH;
        if (!peer.begun && !opens) {
            throw peer.protocol(
                    type + " (expected: first " + (peer.isClient ? "CONNECT)" : "CONNACK)"));
        }
        if (type != PacketType.PUBLISH && (first & 15) != type.flags() && !isOld(first, type)) {
            throw peer.malformed(
                    "flags of %s: %d (expected: %d)".formatted(type, first & 15, type.flags()));
        }
        return type;
    }

    /// MQTT 3.1 has a DUP flag in packets that have a QoS of 1 in their header.
    private boolean isOld(int first, PacketType type) {
        return peer.version == MqttVersion.V3_1
                && peer.begun
                && type.flags() == 2
                && (first & 7) == 2;
    }

    private void requireLength(PacketType type, int length) {
        boolean ping = type == PacketType.PINGREQ || type == PacketType.PINGRESP;
        if (ping && length > 0) {
            throw peer.malformed(
                    "remaining length of %s: %d (expected: 0)".formatted(type, length));
        }
        if (length > limits.packetBytes()) {
            throw peer.fault(
                    ReasonCode.PACKET_TOO_LARGE,
                    "remaining length: "
                            + length
                            + " (expected: at most "
                            + limits.packetBytes()
                            + ")");
        }
    }

    private boolean publish(
            Buffer in, Consumer<? super MqttMessage> out, int first, int body, int length) {
        int level = first >> 1 & 3;
        boolean duplicate = (first & 8) != 0;
        // MQTT 5.0, 3.3.1.1 and 3.3.1.2
        if (level == 3 || (level == 0 && duplicate)) {
            throw peer.malformed(
                    "flags of PUBLISH: %d (expected: a QoS of 0 to 2, no duplicate with 0)"
                            .formatted(first & 15));
        }
        int head = length;
        boolean streamed = false;
        if (length > limits.wholePayload()) {
            head = headLength(in, body, length, level > 0);
            if (head == INCOMPLETE) {
                return false;
            }
            streamed = length - head > limits.wholePayload();
        }
        if (in.writeOffset() - body < (streamed ? head : length)) {
            return false;
        }
        reader.begin(in, body, body + (streamed ? head : length));
        Topic topic = reader.topic();
        int packetId = level == 0 ? 0 : reader.packetId();
        MqttProperties properties = reader.properties(MqttProperty.place(PacketType.PUBLISH));
        if (topic.isNone() && !properties.contains(MqttProperty.TOPIC_ALIAS)) {
            throw peer.fault(
                    peer.version.isV5()
                            ? ReasonCode.PROTOCOL_ERROR // 3.3.2.1
                            : ReasonCode.TOPIC_NAME_INVALID,
                    "topic: empty (expected: a name, or an alias of one)");
        }
        int payload = reader.at();
        QoS qos = QoS.of(level);
        boolean retain = (first & 1) != 0;
        in.readOffset(payload);
        if (streamed) {
            payloadLeft = length - head;
            out.accept(
                    new PublishStart(
                            topic, qos, retain, duplicate, packetId, properties, payloadLeft));
            return true;
        }
        Buffer bytes = in.split(body + length - payload);
        out.accept(new Publish(topic, bytes, qos, retain, duplicate, packetId, properties));
        return true;
    }

    /// Bytes before the payload, as far as they can be told; looks at a few bytes only.
    private int headLength(Buffer in, int body, int length, boolean hasId) {
        int end = in.writeOffset();
        if (end - body < 2) {
            return INCOMPLETE;
        }
        int head = 2 + in.getUnsignedShort(body) + (hasId ? 2 : 0);
        if (peer.version.isV5()) {
            int properties = 0;
            for (int i = 0; ; i++) {
                if (head >= length || i == 4) {
                    throw peer.malformed("property length: none (expected: in the packet)");
                }
                if (end - body <= head) {
                    return INCOMPLETE;
                }
                int b = in.getUnsignedByte(body + head);
                head++;
                properties |= (b & 0x7F) << (7 * i);
                if (b < 0x80) {
                    break;
                }
            }
            reader.requirePropertyBytes(properties);
            head += properties;
        }
        if (head > length) {
            throw peer.malformed(
                    "bytes before the payload: " + head + " (expected: at most " + length + ")");
        }
        return head;
    }

    @Override
    protected void finish(int unread, Consumer<? super MqttMessage> out) {
        if (payloadLeft > 0) {
            throw new PrematureEndException("a payload, " + payloadLeft + " bytes before its end");
        }
        super.finish(unread, out);
    }
}
