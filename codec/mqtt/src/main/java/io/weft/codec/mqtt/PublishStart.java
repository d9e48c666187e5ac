package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.rules.Packets;

/// A PUBLISH without its payload, which follows in [PublishPart]s.
///
/// @param payloadBytes that follow; no memory is reserved for them
public record PublishStart(
        Topic topic,
        QoS qos,
        boolean retain,
        boolean duplicate,
        int packetId,
        MqttProperties properties,
        int payloadBytes)
        implements MqttMessage {
    /// @throws IllegalArgumentException when QoS 0 goes with a packet identifier or a duplicate, or
    ///   no payload follows
    public PublishStart {
        Packets.requirePublish(topic, qos, duplicate, packetId);
        if (payloadBytes < 1) {
            throw new IllegalArgumentException(
                    "payloadBytes: " + payloadBytes + " (expected: at least 1)");
        }
    }

    /// Returns the whole message, which owns `payload`.
    ///
    /// @throws IllegalArgumentException unless the payload has the bytes that were to follow
    public Publish whole(Buffer payload) {
        if (payload.readableBytes() != payloadBytes) {
            throw new IllegalArgumentException(
                    "payload bytes: "
                            + payload.readableBytes()
                            + " (expected: "
                            + payloadBytes
                            + ")");
        }
        return new Publish(topic, payload, qos, retain, duplicate, packetId, properties);
    }
}
