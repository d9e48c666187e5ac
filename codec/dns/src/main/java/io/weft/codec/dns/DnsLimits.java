package io.weft.codec.dns;

/// Limits of the resources that one message of the peer may use.
///
/// @param messageBytes of a message: 12 to 65,535, which is what TCP can carry
/// @param records in its four sections together, with questions
/// @param nameExpansion octets of names behind pointers that are followed, for each octet of the
///     message; whatever its length, 4,096 are free
public record DnsLimits(int messageBytes, int records, int nameExpansion) {
    public static final DnsLimits DEFAULT = new DnsLimits(65_535, 8_192, 8);

    /// @throws IllegalArgumentException when one is out of its range
    public DnsLimits {
        if (messageBytes < 12 || messageBytes > 65_535) {
            throw new IllegalArgumentException(
                    "messageBytes: " + messageBytes + " (expected: 12 to 65535)");
        }
        if (records < 0 || nameExpansion < 0 || nameExpansion > 128) {
            throw new IllegalArgumentException(
                    "records, nameExpansion: "
                            + records
                            + ", "
                            + nameExpansion
                            + " (expected: >= 0, 0 to 128)");
        }
    }

    public DnsLimits messageBytes(int bytes) {
        return new DnsLimits(bytes, records, nameExpansion);
    }

    public DnsLimits records(int records) {
        return new DnsLimits(messageBytes, records, nameExpansion);
    }

    public DnsLimits nameExpansion(int octets) {
        return new DnsLimits(messageBytes, records, octets);
    }
}
