package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// Messages of RFC 1961 on the wire: version 1, type, length and token; of an abort the first two.
final class Gss {
    private Gss() {}

    /// @param refusal what the exception for a malformed one carries
    /// @return null when it is not all there
    static @Nullable Socks5GssMessage read(
            Buffer in, SocksLimits limits, @Nullable SocksServerMessage refusal) {
        int at = in.readOffset();
        int version = in.getByte(at) & 0xFF;
        if (version != 1) {
            throw new SocksException(
                    "version of the GSS-API message: " + version + " (expected: 1)", refusal);
        }
        if (in.readableBytes() < 2) {
            return null;
        }
        int type = in.getByte(at + 1) & 0xFF;
        if (type == Socks5GssMessage.ABORT) {
            in.skipReadable(2);
            return new Socks5GssMessage(type, new byte[0]);
        }
        if (type < Socks5GssMessage.AUTHENTICATION || type > Socks5GssMessage.ENCAPSULATED) {
            throw new SocksException(
                    "type of the GSS-API message: " + type + " (expected: 1 to 3, or 255)",
                    refusal);
        }
        if (in.readableBytes() < 4) {
            return null;
        }
        int length = ((in.getByte(at + 2) & 0xFF) << 8) | (in.getByte(at + 3) & 0xFF);
        if (length > limits.gssTokenBytes()) {
            throw new SocksException(
                    "bytes of the token: "
                            + length
                            + " (expected: at most "
                            + limits.gssTokenBytes()
                            + ")",
                    refusal);
        }
        if (in.readableBytes() < 4 + length) {
            return null;
        }
        byte[] token = new byte[length];
        in.skipReadable(4).readBytes(token);
        return new Socks5GssMessage(type, token);
    }
}
