package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// The last packet of a connection; before MQTT 5.0 of clients only.
///
/// @param reason always `SUCCESS` before MQTT 5.0
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record Disconnect(ReasonCode reason, MqttProperties properties) implements MqttPacket {
    /// @throws IllegalArgumentException when no DISCONNECT has the reason
    public Disconnect {
        Packets.requireReason(reason, PacketType.DISCONNECT);
    }

    /// Returns the normal end, with which the will is dropped.
    public static Disconnect normal() {
        return of(ReasonCode.SUCCESS);
    }

    /// Without properties.
    public static Disconnect of(ReasonCode reason) {
        return new Disconnect(reason, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.DISCONNECT;
    }
}
