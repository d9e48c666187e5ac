package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// A step of extended authentication (MQTT 5.0, 4.12).
public record Auth(ReasonCode reason, MqttProperties properties) implements MqttPacket {
    /// @throws IllegalArgumentException when no AUTH has the reason
    public Auth {
        Packets.requireReason(reason, PacketType.AUTH);
    }

    @Override
    public PacketType type() {
        return PacketType.AUTH;
    }
}
