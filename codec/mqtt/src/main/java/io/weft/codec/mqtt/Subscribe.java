package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;
import java.util.List;

/// A client's wish for messages, answered by [SubAck].
///
/// @param properties [MqttProperties#NONE] before MQTT 5.0
/// @param subscriptions at least one
public record Subscribe(int packetId, MqttProperties properties, List<Subscription> subscriptions)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or there are no
    ///   subscriptions
    public Subscribe {
        Packets.requirePacketId(packetId);
        subscriptions = List.copyOf(subscriptions);
        Packets.requireSome("subscriptions", subscriptions.size());
    }

    /// Without properties.
    public static Subscribe of(int packetId, Subscription... subscriptions) {
        return new Subscribe(packetId, MqttProperties.NONE, List.of(subscriptions));
    }

    @Override
    public PacketType type() {
        return PacketType.SUBSCRIBE;
    }
}
