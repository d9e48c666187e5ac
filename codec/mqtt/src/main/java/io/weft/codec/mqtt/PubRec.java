package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// The first answer to a message of QoS 2: it was received. An error ends its exchange.
///
/// @param packetId of the message, 1 to 65,535
/// @param reason always `SUCCESS` before MQTT 5.0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record PubRec(int packetId, ReasonCode reason, MqttProperties properties)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or no PUBREC has
    ///   the reason
    public PubRec {
        Packets.requirePacketId(packetId);
        Packets.requireReason(reason, PacketType.PUBREC);
    }

    /// Returns a success without properties.
    public static PubRec of(int packetId) {
        return new PubRec(packetId, ReasonCode.SUCCESS, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBREC;
    }
}
