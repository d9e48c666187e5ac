package io.weft.codec.compression;

/// Limits of the size to which a compressed stream may expand.
///
/// @param total bytes that come out, at most
/// @param ratio bytes that come out for each that goes in, at most, once more than `ratioFrom`
///     bytes have come out
/// @param ratioFrom bytes that may come out whatever the ratio: small inputs compress well
public record DecompressionLimits(long total, int ratio, long ratioFrom) {
    public static final DecompressionLimits DEFAULT =
            new DecompressionLimits(64L << 20, 100, 1L << 20);

    /// @throws IllegalArgumentException unless all are positive
    public DecompressionLimits {
        if (total <= 0 || ratio <= 0 || ratioFrom <= 0) {
            throw new IllegalArgumentException(
                    "total, ratio, ratioFrom: "
                            + total
                            + ", "
                            + ratio
                            + ", "
                            + ratioFrom
                            + " (expected: > 0)");
        }
    }

    public DecompressionLimits total(long bytes) {
        return new DecompressionLimits(bytes, ratio, ratioFrom);
    }

    public DecompressionLimits ratio(int ratio) {
        return new DecompressionLimits(total, ratio, ratioFrom);
    }
}
