package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;
import java.util.List;

/// A server's answer to [Unsubscribe].
///
/// @param properties [MqttProperties#NONE] before MQTT 5.0
/// @param reasons one for each filter, in their order; none before MQTT 5.0
public record UnsubAck(int packetId, MqttProperties properties, List<ReasonCode> reasons)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, or no UNSUBACK has
    ///   one of the reasons
    public UnsubAck {
        Packets.requirePacketId(packetId);
        reasons = List.copyOf(reasons);
        for (ReasonCode reason : reasons) {
            Packets.requireReason(reason, PacketType.UNSUBACK);
        }
    }

    @Override
    public PacketType type() {
        return PacketType.UNSUBACK;
    }
}
