package io.weft.codec.haproxy;

/// The kind of connection that a header tells of: family and transport of its addresses.
public enum Transport {
    /// Unknown, or of a kind that the protocol has no code for: a header without addresses.
    UNSPECIFIED(0x00, 0),
    TCP4(0x11, 4),
    UDP4(0x12, 4),
    TCP6(0x21, 16),
    UDP6(0x22, 16),
    UNIX_STREAM(0x31, 108),
    UNIX_DATAGRAM(0x32, 108);

    private final int code;
    private final int addressBytes;

    Transport(int code, int addressBytes) {
        this.code = code;
        this.addressBytes = addressBytes;
    }

    /// The byte of version 2.
    int code() {
        return code;
    }

    /// Bytes of one address in version 2.
    int addressBytes() {
        return addressBytes;
    }

    /// Bytes of both addresses, and of their ports.
    int blockBytes() {
        return 2 * addressBytes + (isInet() ? 4 : 0);
    }

    boolean isInet() {
        return addressBytes == 4 || addressBytes == 16;
    }

    boolean isUnix() {
        return addressBytes == 108;
    }
}
