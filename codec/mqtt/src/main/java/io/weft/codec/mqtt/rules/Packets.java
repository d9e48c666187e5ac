package io.weft.codec.mqtt.rules;

import io.weft.codec.mqtt.PacketType;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;

/// Checks that several packets have in common.
public final class Packets {
    private Packets() {}

    public static void requireReason(ReasonCode reason, PacketType type) {
        if (!reason.isOf(type)) {
            throw new IllegalArgumentException(
                    "reason: " + reason + " (expected: one that " + type + " may have)");
        }
    }

    public static void requirePacketId(int packetId) {
        if (packetId < 1 || packetId > 0xFFFF) {
            throw new IllegalArgumentException("packetId: " + packetId + " (expected: 1 to 65535)");
        }
    }

    public static void requireSome(String what, int count) {
        if (count == 0) {
            throw new IllegalArgumentException(what + ": none (expected: at least one)");
        }
    }

    /// Checks the fields that `Publish` and `PublishStart` have in common.
    public static void requirePublish(Topic topic, QoS qos, boolean duplicate, int packetId) {
        if (qos == QoS.AT_MOST_ONCE) {
            if (packetId != 0) {
                throw new IllegalArgumentException(
                        "packetId: " + packetId + " (expected: 0 with QoS 0)");
            }
            // MQTT 5.0, 3.3.1.1
            if (duplicate) {
                throw new IllegalArgumentException(
                        "duplicate: true (expected: false with QoS 0, topic " + topic + ")");
            }
        } else if (packetId < 0 || packetId > 0xFFFF) {
            throw new IllegalArgumentException(
                    "packetId: " + packetId + " (expected: 1 to 65535, or 0 until one is given)");
        }
    }
}
