package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import io.weft.codec.Detection;

/// A version of the protocol, told by the first byte that a client sends.
public enum SocksVersion {
    /// SOCKS 4, and 4a, which differs in the request's destination alone.
    V4,
    V5;

    /// Looks at the first byte of a connection, and takes none: for a `DetectionHandler`.
    public static Detection<SocksVersion> detect(Buffer in) {
        if (!in.isReadable()) {
            return Detection.needsMore();
        }
        return switch (in.getByte(in.readOffset())) {
            case 4 -> Detection.found(V4);
            case 5 -> Detection.found(V5);
            default -> Detection.unknown();
        };
    }
}
