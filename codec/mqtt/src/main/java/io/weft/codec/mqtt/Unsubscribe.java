package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;
import java.util.List;

/// The end of subscriptions, answered by [UnsubAck].
///
/// @param properties [MqttProperties#NONE] before MQTT 5.0
/// @param filters at least one
public record Unsubscribe(int packetId, MqttProperties properties, List<TopicFilter> filters)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or there are no
    ///   filters
    public Unsubscribe {
        Packets.requirePacketId(packetId);
        filters = List.copyOf(filters);
        Packets.requireSome("filters", filters.size());
    }

    /// Without properties.
    public static Unsubscribe of(int packetId, TopicFilter... filters) {
        return new Unsubscribe(packetId, MqttProperties.NONE, List.of(filters));
    }

    @Override
    public PacketType type() {
        return PacketType.UNSUBSCRIBE;
    }
}
