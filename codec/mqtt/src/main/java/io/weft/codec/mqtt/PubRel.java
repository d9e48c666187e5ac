package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// The answer to [PubRec]: the packet identifier may be forgotten.
///
/// @param packetId of the message, 1 to 65,535
/// @param reason always `SUCCESS` before MQTT 5.0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record PubRel(int packetId, ReasonCode reason, MqttProperties properties)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or no PUBREL has
    ///   the reason
    public PubRel {
        Packets.requirePacketId(packetId);
        Packets.requireReason(reason, PacketType.PUBREL);
    }

    /// Returns a success without properties.
    public static PubRel of(int packetId) {
        return new PubRel(packetId, ReasonCode.SUCCESS, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBREL;
    }
}
