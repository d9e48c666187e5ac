package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import io.weft.codec.Detection;

/// A version of the protocol, told by the first bytes of a connection.
public enum ProxyVersion {
    /// A line of text.
    V1("PROXY "),

    /// Binary, with fields of type, length and value.
    V2("\r\n\r\n\0\r\nQUIT\n");

    private final String signature;

    ProxyVersion(String signature) {
        this.signature = signature;
    }

    String signature() {
        return signature;
    }

    /// Looks at the first bytes of a connection, and takes none: for a `DetectionHandler`. It is
    /// known with the first byte that no header begins with, and after 12 bytes at the latest.
    public static Detection<ProxyVersion> detect(Buffer in) {
        if (!in.isReadable()) {
            return Detection.needsMore();
        }
        ProxyVersion version = in.getByte(in.readOffset()) == 'P' ? V1 : V2;
        int length = version.signature.length();
        int there = Math.min(in.readableBytes(), length);
        for (int i = 0; i < there; i++) {
            if (in.getByte(in.readOffset() + i) != version.signature.charAt(i)) {
                return Detection.unknown();
            }
        }
        return there < length ? Detection.needsMore() : Detection.found(version);
    }
}
