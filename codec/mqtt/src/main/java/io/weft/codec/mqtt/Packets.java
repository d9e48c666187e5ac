package io.weft.codec.mqtt;

/// Checks that several packets have in common.
final class Packets {
    private Packets() {}

    static void requireReason(ReasonCode reason, PacketType type) {
        if (!reason.isOf(type)) {
            throw new IllegalArgumentException(
                    "reason: " + reason + " (expected: one that " + type + " may have)");
        }
    }

    static void requirePacketId(int packetId) {
        if (packetId < 1 || packetId > 0xFFFF) {
            throw new IllegalArgumentException("packetId: " + packetId + " (expected: 1 to 65535)");
        }
    }

    static void requireSome(String what, int count) {
        if (count == 0) {
            throw new IllegalArgumentException(what + ": none (expected: at least one)");
        }
    }

    /// Checks the fields that [Publish] and [PublishStart] have in common.
    static void requirePublish(Topic topic, QoS qos, boolean duplicate, int packetId) {
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
