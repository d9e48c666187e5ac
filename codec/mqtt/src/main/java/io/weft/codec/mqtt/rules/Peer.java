package io.weft.codec.mqtt.rules;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Disconnect;
import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PacketType;
import io.weft.codec.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/// State of a connection as its decoder knows it, and the answers to faults that follow from it.
public final class Peer {
    /// True if packets come from a client.
    public final boolean isClient;

    public MqttVersion version;

    /// True when the first packet of the peer was accepted.
    public boolean begun;

    public Peer(boolean isClient, MqttVersion version) {
        this.isClient = isClient;
        this.version = version;
    }

    public MqttException fault(ReasonCode reason, String message) {
        return new MqttException(reason, message, version, reply(reason));
    }

    public MqttException malformed(String message) {
        return fault(ReasonCode.MALFORMED_PACKET, message);
    }

    public MqttException protocol(String message) {
        return fault(ReasonCode.PROTOCOL_ERROR, message);
    }

    private @Nullable MqttPacket reply(ReasonCode reason) {
        if (isClient && !begun) {
            return replyToConnect(reason);
        }
        if (!version.isV5()) {
            return null;
        }
        return Disconnect.of(reason.isOf(PacketType.DISCONNECT) ? reason : general(reason));
    }

    private @Nullable MqttPacket replyToConnect(ReasonCode reason) {
        if (version.isV5()) {
            return ConnAck.refused(reason.isOf(PacketType.CONNACK) ? reason : general(reason));
        }
        // MQTT 3.1.1, 3.1.2.2 and 3.1.3.1; other faults close the connection without an answer.
        return switch (reason) {
            case UNSUPPORTED_PROTOCOL_VERSION, CLIENT_IDENTIFIER_NOT_VALID ->
                    ConnAck.refused(reason);
            default -> null;
        };
    }

    private static ReasonCode general(ReasonCode reason) {
        return reason.isError() ? ReasonCode.PROTOCOL_ERROR : ReasonCode.UNSPECIFIED_ERROR;
    }
}
