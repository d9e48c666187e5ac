package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// The answer to [PubRel], with which an exchange of QoS 2 ends.
///
/// @param packetId of the message, 1 to 65,535
/// @param reason always `SUCCESS` before MQTT 5.0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record PubComp(int packetId, ReasonCode reason, MqttProperties properties)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or no PUBCOMP has
    ///   the reason
    public PubComp {
        Packets.requirePacketId(packetId);
        Packets.requireReason(reason, PacketType.PUBCOMP);
    }

    /// Returns a success without properties.
    public static PubComp of(int packetId) {
        return new PubComp(packetId, ReasonCode.SUCCESS, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.PUBCOMP;
    }
}
