package io.weft.codec.mqtt;

import java.util.Objects;

/// A message that the server publishes for a client whose connection ends without a DISCONNECT.
///
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record Will(
        Topic topic, QoS qos, boolean retain, MqttProperties properties, Binary payload) {
    /// @throws IllegalArgumentException when there is no topic
    public Will {
        Objects.requireNonNull(qos);
        if (topic.isNone()) {
            throw new IllegalArgumentException("topic: none (expected: a name)");
        }
    }

    /// Returns a will without properties.
    public static Will of(Topic topic, QoS qos, boolean retain, Binary payload) {
        return new Will(topic, qos, retain, MqttProperties.NONE, payload);
    }
}
