package io.weft.codec.redis;

/// Limits of the resources that one message of the peer may use. They are checked against declared
/// lengths, before any byte is waited for.
///
/// @param lineBytes of a simple string, an error or an inline command, without its end: 64 to
///     16,777,216
/// @param bulkBytes of one bulk; what does not fit into `messageBytes` either is read in parts
/// @param messageBytes of a whole command or value on the wire; not of one that is read in parts
/// @param elements of all aggregates of a message together, at every depth
/// @param depth of aggregates in aggregates: 1 to 1,024
public record RespLimits(int lineBytes, long bulkBytes, int messageBytes, int elements, int depth) {
    public static final RespLimits DEFAULT =
            new RespLimits(65_536, 536_870_912, 67_108_864, 1_048_576, 32);

    /// @throws IllegalArgumentException when one is out of its range
    public RespLimits {
        require("lineBytes", lineBytes, 64, 1 << 24);
        require("bulkBytes", bulkBytes, 0, Long.MAX_VALUE >> 1);
        require("messageBytes", messageBytes, 64, 1 << 30);
        require("elements", elements, 1, 1 << 28);
        require("depth", depth, 1, 1024);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public RespLimits lineBytes(int bytes) {
        return new RespLimits(bytes, bulkBytes, messageBytes, elements, depth);
    }

    public RespLimits bulkBytes(long bytes) {
        return new RespLimits(lineBytes, bytes, messageBytes, elements, depth);
    }

    public RespLimits messageBytes(int bytes) {
        return new RespLimits(lineBytes, bulkBytes, bytes, elements, depth);
    }

    public RespLimits elements(int count) {
        return new RespLimits(lineBytes, bulkBytes, messageBytes, count, depth);
    }

    public RespLimits depth(int levels) {
        return new RespLimits(lineBytes, bulkBytes, messageBytes, elements, levels);
    }
}
