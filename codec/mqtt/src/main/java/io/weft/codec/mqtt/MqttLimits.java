package io.weft.codec.mqtt;

/// Limits of the resources that a peer may use by its packets.
///
/// @param packetBytes of a packet without its fixed header, which is its remaining length; at most
///   268,435,455, which is what the protocol has. A server should announce them with the fixed
///   header's 5 as [MqttProperty#MAXIMUM_PACKET_SIZE]
/// @param wholePayload bytes of a PUBLISH payload that comes in one piece; longer ones come as a
///   [PublishStart] and its [PublishPart]s
/// @param clientIdBytes of a client identifier in UTF-8
/// @param propertyBytes of the properties of one packet, and of those of its will
/// @param filters of one SUBSCRIBE or UNSUBSCRIBE, and reason codes of their acknowledgements
/// @param topicLevels of a topic name or filter: slashes, and one more
public record MqttLimits(
        int packetBytes,
        int wholePayload,
        int clientIdBytes,
        int propertyBytes,
        int filters,
        int topicLevels) {
    public static final MqttLimits DEFAULT =
            new MqttLimits(262_144, 65_536, 256, 32_768, 1_024, 200);

    static final int MAX_REMAINING_LENGTH = 268_435_455;

    /// @throws IllegalArgumentException when one is out of its range
    public MqttLimits {
        require("packetBytes", packetBytes, MAX_REMAINING_LENGTH);
        require("wholePayload", wholePayload, MAX_REMAINING_LENGTH);
        require("clientIdBytes", clientIdBytes, 65_535);
        require("propertyBytes", propertyBytes, MAX_REMAINING_LENGTH);
        require("filters", filters, MAX_REMAINING_LENGTH);
        require("topicLevels", topicLevels, 65_536);
    }

    private static void require(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: 1 to " + most + ")");
        }
    }

    public MqttLimits packetBytes(int bytes) {
        return new MqttLimits(
                bytes, wholePayload, clientIdBytes, propertyBytes, filters, topicLevels);
    }

    public MqttLimits wholePayload(int bytes) {
        return new MqttLimits(
                packetBytes, bytes, clientIdBytes, propertyBytes, filters, topicLevels);
    }

    public MqttLimits clientIdBytes(int bytes) {
        return new MqttLimits(
                packetBytes, wholePayload, bytes, propertyBytes, filters, topicLevels);
    }

    public MqttLimits propertyBytes(int bytes) {
        return new MqttLimits(
                packetBytes, wholePayload, clientIdBytes, bytes, filters, topicLevels);
    }

    public MqttLimits filters(int count) {
        return new MqttLimits(
                packetBytes, wholePayload, clientIdBytes, propertyBytes, count, topicLevels);
    }

    public MqttLimits topicLevels(int levels) {
        return new MqttLimits(
                packetBytes, wholePayload, clientIdBytes, propertyBytes, filters, levels);
    }
}
