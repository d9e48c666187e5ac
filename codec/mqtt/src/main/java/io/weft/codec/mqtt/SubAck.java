package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;
import java.util.List;

/// A server's answer to [Subscribe].
///
/// @param properties [MqttProperties#NONE] before MQTT 5.0
/// @param reasons one for each subscription, in their order; before MQTT 5.0 errors travel as
///   `UNSPECIFIED_ERROR`
public record SubAck(int packetId, MqttProperties properties, List<ReasonCode> reasons)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the identifier is out of its range, there are no
    ///   reasons, or no SUBACK has one of them
    public SubAck {
        Packets.requirePacketId(packetId);
        reasons = List.copyOf(reasons);
        Packets.requireSome("reasons", reasons.size());
        for (ReasonCode reason : reasons) {
            Packets.requireReason(reason, PacketType.SUBACK);
        }
    }

    @Override
    public PacketType type() {
        return PacketType.SUBACK;
    }
}
