package io.weft.codec.haproxy;

/// Limits of a header of version 2. Lines of version 1 have 107 bytes at most, by the protocol.
///
/// @param headerBytes of the whole header
/// @param tlvs fields, nested ones too
public record HaproxyLimits(int headerBytes, int tlvs) {
    public static final HaproxyLimits DEFAULT = new HaproxyLimits(4_096, 128);

    /// @throws IllegalArgumentException when one is out of range
    public HaproxyLimits {
        if (headerBytes < 232 || headerBytes > 65_551) {
            throw new IllegalArgumentException(
                    "headerBytes: " + headerBytes + " (expected: 232 to 65551)");
        }
        if (tlvs < 0) {
            throw new IllegalArgumentException("tlvs: " + tlvs + " (expected: >= 0)");
        }
    }
}
