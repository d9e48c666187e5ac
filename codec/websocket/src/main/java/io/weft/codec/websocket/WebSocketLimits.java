package io.weft.codec.websocket;

/// Limits of what a peer may send. Beyond one the connection fails with 1009.
///
/// @param frameBytes payload of one frame; of no effect where messages are taken in pieces
/// @param messageBytes payload of one message, after decompression
/// @param ratio bytes that may come out of each compressed one of a message, once more than
///     `ratioFrom` have come out
/// @param ratioFrom bytes that may come out of a compressed message whatever the ratio
public record WebSocketLimits(long frameBytes, long messageBytes, int ratio, long ratioFrom) {
    public static final WebSocketLimits DEFAULT =
            new WebSocketLimits(64L << 10, 1L << 20, 100, 1L << 20);

    /// @throws IllegalArgumentException unless `frameBytes` is at least 125, as control frames may
    ///     have, and the others are positive
    public WebSocketLimits {
        if (frameBytes < WebSocketFrame.MAX_CONTROL
                || messageBytes <= 0
                || ratio <= 0
                || ratioFrom <= 0) {
            throw new IllegalArgumentException(
                    "frameBytes, messageBytes, ratio, ratioFrom: "
                            + frameBytes
                            + ", "
                            + messageBytes
                            + ", "
                            + ratio
                            + ", "
                            + ratioFrom
                            + " (expected: >= 125, > 0, > 0, > 0)");
        }
    }

    public WebSocketLimits frameBytes(long bytes) {
        return new WebSocketLimits(bytes, messageBytes, ratio, ratioFrom);
    }

    public WebSocketLimits messageBytes(long bytes) {
        return new WebSocketLimits(frameBytes, bytes, ratio, ratioFrom);
    }

    public WebSocketLimits ratio(int ratio) {
        return new WebSocketLimits(frameBytes, messageBytes, ratio, ratioFrom);
    }

    public WebSocketLimits ratioFrom(long bytes) {
        return new WebSocketLimits(frameBytes, messageBytes, ratio, bytes);
    }
}
