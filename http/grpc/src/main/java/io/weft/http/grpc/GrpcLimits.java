package io.weft.http.grpc;

/// Limits of the memory that one call may use.
///
/// @param messageBytes of a message that is received, as it is and decompressed;
///     RESOURCE_EXHAUSTED beyond
/// @param pendingBytes of messages that wait for the peer to take them, behind which a write waits
public record GrpcLimits(int messageBytes, int pendingBytes) {
    public static final GrpcLimits DEFAULT = new GrpcLimits(4 << 20, 64 << 10);

    /// @throws IllegalArgumentException unless both are from 1 to 1 GiB
    public GrpcLimits {
        check("messageBytes", messageBytes);
        check("pendingBytes", pendingBytes);
    }

    private static void check(String what, int value) {
        if (value < 1 || value > 1 << 30) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: 1 to " + (1 << 30) + ")");
        }
    }

    public GrpcLimits withMessageBytes(int bytes) {
        return new GrpcLimits(bytes, pendingBytes);
    }

    public GrpcLimits withPendingBytes(int bytes) {
        return new GrpcLimits(messageBytes, bytes);
    }
}
