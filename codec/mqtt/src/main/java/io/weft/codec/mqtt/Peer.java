package io.weft.codec.mqtt;

import org.jspecify.annotations.Nullable;

/// State of a connection as its decoder knows it, and the answers to faults that follow from it.
final class Peer {
    /// True if packets come from a client.
    final boolean isClient;

    MqttVersion version;

    /// True when the first packet of the peer was accepted.
    boolean begun;

    Peer(boolean isClient, MqttVersion version) {
        this.isClient = isClient;
        this.version = version;
    }

    MqttException fault(ReasonCode reason, String message) {
        return new MqttException(reason, message, version, reply(reason));
    }

    MqttException malformed(String message) {
        return fault(ReasonCode.MALFORMED_PACKET, message);
    }

    MqttException protocol(String message) {
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
