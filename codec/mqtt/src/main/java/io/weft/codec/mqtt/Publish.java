package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.rules.Packets;

/// An application's message. Owns its payload: its consumer closes it, or takes the payload over.
///
/// @param topic [Topic#NONE] where an alias stands for it
/// @param payload its readable bytes
/// @param duplicate the message may have been sent before
/// @param packetId 1 to 65,535, which a session gives; 0 until then, and with QoS 0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record Publish(
        Topic topic,
        Buffer payload,
        QoS qos,
        boolean retain,
        boolean duplicate,
        int packetId,
        MqttProperties properties)
        implements MqttPacket, AutoCloseable {
    /// @throws IllegalArgumentException when QoS 0 goes with a packet identifier or a duplicate
    public Publish {
        Packets.requirePublish(topic, qos, duplicate, packetId);
    }

    /// Returns a message that is neither retained nor has properties. The payload becomes its own.
    public static Publish of(Topic topic, Buffer payload, QoS qos) {
        return new Publish(topic, payload, qos, false, false, 0, MqttProperties.NONE);
    }

    /// Returns the same message as another connection gets it; the payload is the same buffer.
    public Publish with(QoS qos, boolean retain, int packetId, MqttProperties properties) {
        return new Publish(topic, payload, qos, retain, false, packetId, properties);
    }

    /// Returns the same message for a topic that was found by its alias; the payload is the same
    /// buffer.
    public Publish topic(Topic topic) {
        return new Publish(topic, payload, qos, retain, duplicate, packetId, properties);
    }

    /// Releases the payload.
    @Override
    public void close() {
        payload.release();
    }

    @Override
    public PacketType type() {
        return PacketType.PUBLISH;
    }
}
