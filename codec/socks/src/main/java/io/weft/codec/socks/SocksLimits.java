package io.weft.codec.socks;

/// Limits of what a peer may send while it negotiates. Other lengths are bytes of the protocol, 255
/// at most.
///
/// @param userIdBytes of the user in a request of SOCKS 4, which ends with NUL
/// @param nameBytes of a name in a request of SOCKS 4a, which ends with NUL
/// @param gssTokenBytes of the token of one GSS-API message
/// @param earlyBytes that wait behind the negotiation, or for its next step, before the decoder is
///     taken away or told how to go on
public record SocksLimits(int userIdBytes, int nameBytes, int gssTokenBytes, int earlyBytes) {
    public static final SocksLimits DEFAULT = new SocksLimits(255, 255, 65_535, 262_144);

    /// @throws IllegalArgumentException when one is out of range
    public SocksLimits {
        require("userIdBytes", userIdBytes, 0xFFFF);
        require("nameBytes", nameBytes, 255);
        require("gssTokenBytes", gssTokenBytes, 0xFFFF);
        require("earlyBytes", earlyBytes, 1 << 30);
    }

    private static void require(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: 1 to " + max + ")");
        }
    }
}
