package io.weft.codec.stomp;

/// Limits of the resources that a peer may use by its frames.
///
/// @param lineBytes of a line without its end
/// @param headers of a frame, repeated ones too
/// @param headerBytes of all headers of a frame
/// @param bodyBytes of a body
/// @param wholeBody bytes of a body that comes in one piece; longer ones come as a
///   [StompFrameStart] and its [StompBodyPart]s
public record StompLimits(
        int lineBytes, int headers, int headerBytes, long bodyBytes, int wholeBody) {
    public static final StompLimits DEFAULT =
            new StompLimits(8_192, 128, 65_536, 1_048_576, 65_536);

    /// @throws IllegalArgumentException when one is not positive, or a line longer than 1 GiB
    public StompLimits {
        if (lineBytes < 1 || lineBytes > 1 << 30 || headers < 1 || headerBytes < 1) {
            throw new IllegalArgumentException(
                    "lineBytes, headers, headerBytes: "
                            + lineBytes
                            + ", "
                            + headers
                            + ", "
                            + headerBytes
                            + " (expected: each > 0)");
        }
        if (bodyBytes < 1 || wholeBody < 1 || wholeBody > 1 << 30) {
            throw new IllegalArgumentException(
                    "bodyBytes, wholeBody: "
                            + bodyBytes
                            + ", "
                            + wholeBody
                            + " (expected: each > 0)");
        }
    }
}
