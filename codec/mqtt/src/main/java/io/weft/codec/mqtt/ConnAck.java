package io.weft.codec.mqtt;

import io.weft.codec.mqtt.rules.Packets;

/// A server's answer to [Connect].
///
/// @param sessionPresent the server has kept state of the client; never with an error
/// @param reason before MQTT 5.0 a return code, see [ReasonCode#returnCode()]
/// @param properties [MqttProperties#NONE] before MQTT 5.0
public record ConnAck(boolean sessionPresent, ReasonCode reason, MqttProperties properties)
        implements MqttPacket {
    /// @throws IllegalArgumentException when no CONNACK has the reason, or a session goes with an
    ///   error
    public ConnAck {
        Packets.requireReason(reason, PacketType.CONNACK);
        if (sessionPresent && reason != ReasonCode.SUCCESS) {
            throw new IllegalArgumentException(
                    "sessionPresent: true with " + reason + " (expected: with SUCCESS only)");
        }
    }

    /// The connection is accepted.
    public static ConnAck accepted(boolean sessionPresent) {
        return new ConnAck(sessionPresent, ReasonCode.SUCCESS, MqttProperties.NONE);
    }

    /// The connection is refused.
    public static ConnAck refused(ReasonCode reason) {
        return new ConnAck(false, reason, MqttProperties.NONE);
    }

    @Override
    public PacketType type() {
        return PacketType.CONNACK;
    }
}
