package io.weft.codec.protobuf;

/// Limits of the resources that one message of the peer may use.
///
/// @param messageBytes of a message, encoded. What it becomes in memory is more, and the schema
///     says how much: a repeated message field takes two bytes for an empty element, which is an
///     object and a place in a list
/// @param recursion levels of messages in messages, and of groups
public record ProtobufLimits(int messageBytes, int recursion) {
    public static final ProtobufLimits DEFAULT = new ProtobufLimits(1 << 20, 100);

    /// @throws IllegalArgumentException when one is below zero
    public ProtobufLimits {
        if (messageBytes < 0 || recursion < 0) {
            throw new IllegalArgumentException(
                    "messageBytes, recursion: "
                            + messageBytes
                            + ", "
                            + recursion
                            + " (expected: >= 0)");
        }
    }

    public ProtobufLimits messageBytes(int bytes) {
        return new ProtobufLimits(bytes, recursion);
    }

    public ProtobufLimits recursion(int levels) {
        return new ProtobufLimits(messageBytes, levels);
    }
}
