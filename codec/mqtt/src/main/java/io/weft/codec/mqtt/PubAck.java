package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// The answer to a message of QoS 1.
///
/// @param packetId of the message, 1 to 65,535
/// @param reason always `SUCCESS` before MQTT 5.0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record PubAck(int packetId, ReasonCode reason, MqttProperties properties)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or no PUBACK has
    ///   the reason
    public PubAck {
        Packets.requirePacketId(packetId);
        Packets.requireReason(reason, PacketType.PUBACK);
    }

    /// Returns a success without properties.
    public static PubAck of(int packetId) {
        return new PubAck(packetId, ReasonCode.SUCCESS, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBACK;
    }
}
