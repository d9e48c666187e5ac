package io.weft.tls.machine;

import io.weft.buffer.Buffer;

/// The headers of records, RFC 8446 section 5.1: type, version, length.
public final class Records {
    public static final int HEADER = 5;

    /// Plaintext that one record holds at most.
    public static final int MAX_PLAINTEXT = 1 << 14;

    /// Bytes that encryption may add to it in TLS 1.2 (RFC 5246 section 6.2.3); TLS 1.3 allows
    /// fewer.
    public static final int MAX_EXPANSION = 2048;

    public static final int ALERT = 21;
    public static final int HANDSHAKE = 22;
    public static final int APPLICATION_DATA = 23;
    private static final int CHANGE_CIPHER_SPEC = 20;

    private Records() {}

    /// The length of the next record with its header; -1 when it is not whole yet.
    ///
    /// @param first whether it is the first of the connection, which must be a handshake or an
    ///     alert
    /// @throws TlsException when it cannot be a record, which shows as early as its first bytes
    public static int next(Buffer in, boolean first) throws TlsException {
        int readable = in.readableBytes();
        int at = in.readOffset();
        if (readable == 0) {
            return -1;
        }
        int type = in.getUnsignedByte(at);
        boolean known = first ? type == HANDSHAKE || type == ALERT : isType(type);
        if (!known) {
            throw notOne(in, 1, first);
        }
        if (readable > 1 && in.getUnsignedByte(at + 1) != 3) {
            throw notOne(in, 2, first);
        }
        if (readable > 2 && in.getUnsignedByte(at + 2) > 4) {
            throw notOne(in, 3, first);
        }
        if (readable < HEADER) {
            return -1;
        }
        int length = in.getUnsignedShort(at + 3);
        int max = first ? MAX_PLAINTEXT : MAX_PLAINTEXT + MAX_EXPANSION;
        // Only application data may be empty.
        if (length > max || (length == 0 && type != APPLICATION_DATA)) {
            throw first && type == HANDSHAKE && length > max
                    ? notOne(in, HEADER, true)
                    : new TlsException.BadRecord(
                            "record: " + length + " bytes (expected: 1-" + max + ")");
        }
        return readable < HEADER + length ? -1 : HEADER + length;
    }

    private static boolean isType(int type) {
        return type >= CHANGE_CIPHER_SPEC && type <= APPLICATION_DATA;
    }

    /// @param shown bytes, the last of which is wrong
    private static TlsException notOne(Buffer in, int shown, boolean first) {
        StringBuilder hex = new StringBuilder(2 * shown);
        for (int i = 0; i < shown; i++) {
            int b = in.getUnsignedByte(in.readOffset() + i);
            hex.append(Character.forDigit(b >> 4, 16)).append(Character.forDigit(b & 15, 16));
        }
        String message = "bytes: " + hex + " (expected: a record of TLS)";
        return first ? new TlsException.NotTls(message) : new TlsException.BadRecord(message);
    }
}
